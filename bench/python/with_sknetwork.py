"""scikit-network's GNNClassifier, a GCN: DATA SPLIT EPOCHS THREADS SEED. Prints the test accuracy in percent."""
import sys

import numpy as np
import scipy.sparse
from sknetwork.gnn import GNNClassifier

path, split, epochs = sys.argv[1], sys.argv[2], int(sys.argv[3])  # it has one thread
with np.load(path) as z:
    adjacency = scipy.sparse.csr_matrix((z["adj_data"], z["adj_indices"], z["adj_indptr"]), shape=tuple(z["adj_shape"]))
    if "attr_matrix" in z:
        x = z["attr_matrix"]
    else:
        x = scipy.sparse.csr_matrix((z["attr_data"], z["attr_indices"], z["attr_indptr"]), shape=tuple(z["attr_shape"]))
    y = z["labels"].astype(int)
with np.load(split) as z:
    train, test = z["train_mask"].astype(bool), z["test_mask"].astype(bool)

gnn = GNNClassifier(dims=[64, int(y.max()) + 1], layer_types="Conv", activations="ReLu", learning_rate=0.01)
predicted = gnn.fit_predict(adjacency, x, np.where(train, y, -1), n_epochs=epochs, random_state=int(sys.argv[5]))
print(100 * np.mean(predicted[test] == y[test]))
