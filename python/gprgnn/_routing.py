"""scikit-learn's metadata routing: which arguments beside X and y the methods take, such as `graph`.

It is used only after ``sklearn.set_config(enable_metadata_routing=True)``. Then a pipeline passes `graph` on where
``set_fit_request(graph=True)`` says so.
"""
from __future__ import annotations

from typing import Any, Dict, TypeVar

_Self = TypeVar("_Self", bound="Routed")

_PREDICT = ("graph", "edge_weight", "known_labels", "adapt_prior")
ARGUMENTS = {
    "fit": ("graph", "train_mask", "val_mask", "test_mask", "sample_weight", "edge_weight"),
    "predict": _PREDICT,
    "predict_proba": _PREDICT,
    "predict_log_proba": _PREDICT,
    "decision_function": _PREDICT,
    "score": ("graph", "mask", "sample_weight", "edge_weight", "known_labels", "adapt_prior"),
}


class Requests(Dict[str, Dict[str, Any]]):
    """Method: argument: True, False, None (an error where it is given) or an alias."""

    def __sklearn_clone__(self) -> "Requests":
        return Requests({method: dict(asked) for method, asked in self.items()})


class Routed:
    """The methods that scikit-learn asks for requests."""

    _metadata_request: Requests  # scikit-learn's clone copies what has this name

    def get_metadata_routing(self) -> Any:
        """What the methods of this estimator ask for, as scikit-learn's MetadataRequest."""
        from sklearn.utils.metadata_routing import MetadataRequest

        made = MetadataRequest(owner=type(self).__name__)
        for method, arguments in ARGUMENTS.items():
            asked = getattr(self, "_metadata_request", {}).get(method, {})
            for argument in arguments:
                getattr(made, method).add_request(param=argument, alias=asked.get(argument))
        return made

    def _request(self: _Self, method: str, requests: Dict[str, Any]) -> _Self:
        for argument, request in requests.items():
            if argument not in ARGUMENTS[method]:
                raise TypeError(f"set_{method}_request: {method} has no argument {argument!r}; it has "
                                f"{', '.join(ARGUMENTS[method])}")
            if not (request is None or isinstance(request, (bool, str))):
                raise TypeError(f"set_{method}_request: {argument} must be True, False, None or a name")
        current: Requests = getattr(self, "_metadata_request", None) or Requests()
        kept = current.__sklearn_clone__()
        kept.setdefault(method, {}).update(requests)
        self._metadata_request = kept
        return self

    def set_fit_request(self: _Self, **requests: Any) -> _Self:
        """Says which arguments a meta-estimator passes on to `fit`: ``graph=True``."""
        return self._request("fit", requests)

    def set_predict_request(self: _Self, **requests: Any) -> _Self:
        """The same for `predict`."""
        return self._request("predict", requests)

    def set_predict_proba_request(self: _Self, **requests: Any) -> _Self:
        """The same for `predict_proba`."""
        return self._request("predict_proba", requests)

    def set_predict_log_proba_request(self: _Self, **requests: Any) -> _Self:
        """The same for `predict_log_proba`."""
        return self._request("predict_log_proba", requests)

    def set_decision_function_request(self: _Self, **requests: Any) -> _Self:
        """The same for `decision_function`."""
        return self._request("decision_function", requests)

    def set_score_request(self: _Self, **requests: Any) -> _Self:
        """The same for `score`."""
        return self._request("score", requests)
