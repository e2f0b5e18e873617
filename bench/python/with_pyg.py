"""GPR-GNN as users of PyTorch Geometric write it: DATA SPLIT EPOCHS THREADS SEED. Prints the test accuracy, percent."""
import copy
import sys

import numpy as np
import scipy.sparse
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.conv.gcn_conv import gcn_norm


class Propagation(MessagePassing):
    def __init__(self, hops, alpha):
        super().__init__(aggr="add")
        gamma = alpha * (1 - alpha) ** torch.arange(hops + 1.0)
        gamma[-1] = (1 - alpha) ** hops
        self.gamma = torch.nn.Parameter(gamma)

    def forward(self, x, edge_index, weight):
        total = self.gamma[0] * x
        for gamma in self.gamma[1:]:
            x = self.propagate(edge_index, x=x, weight=weight)
            total = total + gamma * x
        return total

    def message(self, x_j, weight):
        return weight.view(-1, 1) * x_j


class GprGnn(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.first, self.second = torch.nn.Linear(features, 64), torch.nn.Linear(64, classes)
        self.propagation = Propagation(10, 0.1)

    def forward(self, x, edge_index, weight):
        x = F.dropout(x, 0.5, self.training)
        x = F.dropout(F.relu(self.first(x)), 0.5, self.training)
        x = F.dropout(self.second(x), 0.5, self.training)
        return F.log_softmax(self.propagation(x, edge_index, weight), dim=1)


path, split, epochs, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
torch.manual_seed(int(sys.argv[5]))
with np.load(path) as z:
    shape = tuple(z["adj_shape"])
    adjacency = scipy.sparse.csr_matrix((z["adj_data"], z["adj_indices"], z["adj_indptr"]), shape=shape).tocoo()
    if "attr_matrix" in z:
        x = z["attr_matrix"].astype(np.float32)
    else:
        x = scipy.sparse.csr_matrix((z["attr_data"], z["attr_indices"], z["attr_indptr"]), shape=tuple(z["attr_shape"]))
        x = x.toarray().astype(np.float32)
    y = torch.from_numpy(z["labels"].astype(np.int64))
x /= np.maximum(np.abs(x).sum(axis=1, keepdims=True), 1) if (x >= 0).all() else 1  # rows of counts are normalised
data = Data(torch.from_numpy(x), torch.from_numpy(np.stack([adjacency.row, adjacency.col]).astype(np.int64)), y=y)
with np.load(split) as z:
    train, val, test = (torch.from_numpy(z[part + "_mask"].astype(bool)) for part in ("train", "val", "test"))
edge_index, weight = gcn_norm(data.edge_index, None, data.num_nodes, add_self_loops=True)

model = GprGnn(data.num_features, int(y.max()) + 1)
adam = torch.optim.Adam([
    {"params": [*model.first.parameters(), *model.second.parameters()], "weight_decay": 0.0005},
    {"params": model.propagation.parameters(), "weight_decay": 0.0},
], lr=0.01)
best_loss, best = float("inf"), None
for _ in range(epochs):
    model.train()
    adam.zero_grad()
    F.nll_loss(model(data.x, edge_index, weight)[train], y[train]).backward()
    adam.step()
    model.eval()
    with torch.no_grad():
        loss = F.nll_loss(model(data.x, edge_index, weight)[val], y[val]).item()
    if loss < best_loss:
        best_loss, best = loss, copy.deepcopy(model.state_dict())
model.load_state_dict(best)
model.eval()
with torch.no_grad():
    predicted = model(data.x, edge_index, weight).argmax(1)
print(100 * (predicted[test] == y[test]).double().mean().item())
