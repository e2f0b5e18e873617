/* The public datasets that are known by name, with their files. The addresses contain a commit, so that the files
 * behind them do not change. For gnn-benchmark neither a commit nor a checksum is known, and its newest state is taken.
 * Licences are those that the repositories state. */
#include "io/catalogue.h"

#include <stdio.h>
#include <stdlib.h>

#define PLANETOID "https://raw.githubusercontent.com/kimiyoung/planetoid/af6abf468a772cc055bec88c52e4d6f51b7c37e3/data/"
#define GEOM_GCN \
    "https://raw.githubusercontent.com/graphdml-uiuc-jlu/geom-gcn/f1fc0d14b3b019c562737240d06ec83b07d16a8f/new_data/"
#define HETEROPHILOUS                                                                                                  \
    "https://raw.githubusercontent.com/yandex-research/heterophilous-graphs/a431395582e929d88271309716bea4fe24ce6318/" \
    "data/"
#define GNN_BENCHMARK "https://raw.githubusercontent.com/shchur/gnn-benchmark/master/data/npz/"

/* path, address, SHA-256, bytes */
#define FROM_PLANETOID(name, sha256, bytes) \
    { "planetoid/" name, PLANETOID name, sha256, bytes }
#define FROM_GEOM_GCN(name, sha256, bytes) \
    { "geom-gcn/" name, GEOM_GCN name, sha256, bytes }

#define FILES(...)                              \
    (const gpri_catalogue_file[]){__VA_ARGS__}, \
        (int)(sizeof((gpri_catalogue_file[]){__VA_ARGS__}) / sizeof(gpri_catalogue_file))

const gpri_catalogue_entry gpri_catalogue[GPRI_CATALOGUE_SIZE] = {
    {"cora", "github.com/kimiyoung/planetoid", "MIT", "", NULL,
     FILES(FROM_PLANETOID("ind.cora.allx", "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543", 257305),
           FROM_PLANETOID("ind.cora.ally", "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71", 47959),
           FROM_PLANETOID("ind.cora.tx", "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a", 148025),
           FROM_PLANETOID("ind.cora.ty", "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad", 28135),
           FROM_PLANETOID("ind.cora.graph", "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d", 59847),
           FROM_PLANETOID("ind.cora.test.index", "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875",
                          5000))},
    {"citeseer", "github.com/kimiyoung/planetoid", "MIT",
     "15 nodes have neither features nor a label in the files: they get none, and the last class", NULL,
     FILES(
         FROM_PLANETOID("ind.citeseer.allx", "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668",
                        595021),
         FROM_PLANETOID("ind.citeseer.ally", "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95", 55623),
         FROM_PLANETOID("ind.citeseer.tx", "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21", 260321),
         FROM_PLANETOID("ind.citeseer.ty", "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce", 24135),
         FROM_PLANETOID("ind.citeseer.graph", "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7",
                        61987),
         FROM_PLANETOID("ind.citeseer.test.index", "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4",
                        5000))},
    {"pubmed", "github.com/kimiyoung/planetoid", "MIT", "", NULL,
     FILES(
         FROM_PLANETOID("ind.pubmed.allx", "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e", 7578385),
         FROM_PLANETOID("ind.pubmed.ally", "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e", 224739),
         FROM_PLANETOID("ind.pubmed.tx", "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d", 405505),
         FROM_PLANETOID("ind.pubmed.ty", "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd", 12135),
         FROM_PLANETOID("ind.pubmed.graph", "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9", 471808),
         FROM_PLANETOID("ind.pubmed.test.index", "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5",
                        6000))},
    {"computers", "github.com/shchur/gnn-benchmark", "MIT",
     "known by the fingerprint of its content, which is the graph of the paper; no SHA-256 is known",
     "eb160f96dca71761e0f2f2cfb49ef411",
     FILES({"computers.npz", GNN_BENCHMARK "amazon_electronics_computers.npz", NULL, 0})},
    {"photo", "github.com/shchur/gnn-benchmark", "MIT",
     "known by the fingerprint of its content, which is the graph of the paper; no SHA-256 is known",
     "d6be37681f0fd48cce41b3b8da7ba491", FILES({"photo.npz", GNN_BENCHMARK "amazon_electronics_photo.npz", NULL, 0})},
    {"chameleon", "github.com/yandex-research/heterophilous-graphs", "MIT", "", NULL,
     FILES({"chameleon.npz", HETEROPHILOUS "chameleon.npz",
            "4c640bd2877fc4f9f101531e2f977bc16445a54e09a5cb01178df608e552f3fd", 177840})},
    {"squirrel", "github.com/yandex-research/heterophilous-graphs", "MIT", "", NULL,
     FILES({"squirrel.npz", HETEROPHILOUS "squirrel.npz",
            "d436e3b42c0546b105241c0ab0766097074e68e55f67b133eeb9b0162e55cbd9", 704277})},
    {"actor", "github.com/graphdml-uiuc-jlu/geom-gcn", "none stated", "its folder there is called film", NULL,
     FILES(FROM_GEOM_GCN("film/out1_graph_edges.txt",
                         "997cdce67ea9c29257d3ffe796328391931901cf823830affa453178b60e2c3e", 323820),
           FROM_GEOM_GCN("film/out1_node_feature_label.txt",
                         "1d5cdd094f8b91e770f6decfca85b35cf42f75d1efb51055fd6af16e11820ff8", 207718))},
    {"texas", "github.com/graphdml-uiuc-jlu/geom-gcn", "none stated", "", NULL,
     FILES(FROM_GEOM_GCN("texas/out1_graph_edges.txt",
                         "0fe85183243a78cbee9b85a684f8240963d04d1020d10e9cd2b8cfb25e33b476", 2172),
           FROM_GEOM_GCN("texas/out1_node_feature_label.txt",
                         "cf5a3ca346cdd1210b8342e22517fcbbdae658065b7a3145f59350e50e6236a3", 624308))},
    {"cornell", "github.com/graphdml-uiuc-jlu/geom-gcn", "none stated",
     "the links of Cornell with the features and labels of Texas, as published and as in the paper", NULL,
     FILES(FROM_GEOM_GCN("cornell/out1_graph_edges.txt",
                         "c4522a00cc40873c8a04a3a07c49e24a48a507eb284ac9c9f2d3e0590351bbb7", 2001),
           FROM_GEOM_GCN("cornell/out1_node_feature_label.txt",
                         "cf5a3ca346cdd1210b8342e22517fcbbdae658065b7a3145f59350e50e6236a3", 624308))},
    {"cornell_corrected", "github.com/yandex-research/heterophilous-graphs", "MIT",
     "Cornell with its own features and labels; not the graph of the paper", NULL,
     FILES({"cornell_corrected.npz", HETEROPHILOUS "cornell.npz",
            "684c54ba3daa13b0ba1f04a3d6dd1b1175c1ae9bdeb982851fd4ff96d3aac298", 30515})},
};

void gpri_catalogue_names(const char *names[GPRI_CATALOGUE_SIZE]) {
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++) names[i] = gpri_catalogue[i].name;
}

void gpri_catalogue_list(char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < GPRI_CATALOGUE_SIZE && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", gpri_catalogue[i].name);
}

void gpri_cache_folder(gpri_text *out) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache) gpri_text_add(out, "%s/gprgnn", cache);
    else if (home && *home) gpri_text_add(out, "%s/.cache/gprgnn", home);
}
