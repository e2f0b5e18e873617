"""Node classification on graphs with GPR-GNN."""
from ._convert import from_arrays, from_igraph, from_networkx, from_pyg
from ._dataset import Dataset, Split
from ._errors import GprgnnError, GprgnnWarning
from ._header import GPR_VERSION_STRING as __version__
from ._models import *  # noqa: F403
from ._models import __all__ as _model_names
from ._protocol import NotFittedError
from ._read import csbm, datasets, fetch_dataset, load_dataset
from ._read_tables import read_tables
from ._results import Mean
from ._training import Progress

__all__ = ["Dataset", "GprgnnError", "GprgnnWarning", "Mean", "NotFittedError", "Progress", "Split", "__version__",
           "csbm", "datasets", "fetch_dataset", "from_arrays", "from_igraph", "from_networkx", "from_pyg",
           "load_dataset", "read_tables", *_model_names]
