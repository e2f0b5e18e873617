"""Three lines: data, training, result. `make python` and `make wheel` run it."""
import time

start = time.perf_counter()
from gprgnn import GPRGNNClassifier, csbm  # noqa: E402

data = csbm(phi=-0.5, n=2000, f=500, seed=1)  # neighbours differ: heterophily
model = GPRGNNClassifier(epochs=200).fit(data)
print(model.summary())
print(f"first result after {time.perf_counter() - start:.2f} s")

assert model.score(data, data.y, mask=model.test_mask_) > 0.8, "the model learned nothing"
