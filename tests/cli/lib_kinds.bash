# Tables of two kinds of edges: those who pay each other are alike, those who share a device are not. The union says
# nothing.
#     kinds_write FOLDER NODES: n.csv (id, x, team, when), pay.csv, device.csv (with weights), all.csv (with both)
kinds_write() {
    awk -v folder="$1" -v nodes="$2" 'BEGIN {
        srand(5)
        print "id,x,team,when" >folder "/n.csv"
        print "from,to" >folder "/pay.csv"
        print "user,other,weight" >folder "/device.csv"
        print "from,to,kind" >folder "/all.csv"
        for (i = 0; i < nodes; i++) {
            print "p" i "," int(100 * rand()) "," (i % 2 ? "red" : "blue") "," i >folder "/n.csv"
            for (k = 1; k <= 3; k++) {
                pay = (i + 2 * int(1 + 40 * rand()) + (rand() < 0.05)) % nodes
                device = (i + 1 + 2 * int(1 + 40 * rand()) + (rand() < 0.05)) % nodes
                print "p" i ",p" pay >folder "/pay.csv"
                print "p" i ",p" device "," 1 + int(3 * rand()) >folder "/device.csv"
                print "p" i ",p" pay ",pay" >folder "/all.csv"
                print "p" i ",p" device ",same device" >folder "/all.csv"
            }
        }
    }'
}
