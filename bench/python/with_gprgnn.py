"""GPR-GNN with this package: DATA SPLIT EPOCHS THREADS SEED. Prints the test accuracy in percent."""
import sys

from gprgnn import GPRGNNClassifier, load_dataset

data = load_dataset(sys.argv[1])
model = GPRGNNClassifier(split=sys.argv[2], epochs=int(sys.argv[3]), stopping="none", n_jobs=int(sys.argv[4]),
                         random_state=int(sys.argv[5])).fit(data)
print(model.mean("test_accuracy").mean)
