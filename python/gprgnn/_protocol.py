"""What scikit-learn expects of an estimator, without importing it: parameters, clone, tags, NotFittedError.

scikit-learn takes a second to import. Its functions only look for methods and attributes, so these are enough; where a
class of scikit-learn itself is needed, it is imported at that moment.
"""
from __future__ import annotations

import inspect
import sys
from typing import Any, ClassVar, Dict, List, TypeVar

from ._options import Option, is_default, unknown_parameter


_Self = TypeVar("_Self", bound="Estimator")


class NotFittedError(ValueError, AttributeError):
    """The estimator was not fitted yet. Where scikit-learn is imported, it is also its NotFittedError."""


def not_fitted(estimator: Any) -> NotFittedError:
    message = (f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
               "before using this estimator.")
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError(message)
    both: Any = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})
    error: NotFittedError = both(message)
    return error


class Estimator:
    """Parameters of a table of options, kept as attributes of their names."""

    _options: ClassVar[List[Option]] = []
    _estimator_type = "classifier"  # scikit-learn before 1.6

    def __init__(self, **params: Any) -> None:
        names = [option.name for option in self._options]
        for name in params:
            if name not in names:
                raise TypeError(unknown_parameter(type(self).__name__, name, names))
        for option in self._options:
            setattr(self, option.name, params.get(option.name, option.default))

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters of this estimator.

        Parameters
        ----------
        deep : bool
            Ignored: no parameter is an estimator.

        Returns
        -------
        dict
            Names and values.
        """
        return {option.name: getattr(self, option.name) for option in self._options}

    def set_params(self: _Self, **params: Any) -> _Self:
        """Changes parameters.

        Parameters
        ----------
        **params
            Names and values.

        Returns
        -------
        self
        """
        names = [option.name for option in self._options]
        for name in params:
            if name not in names:
                raise ValueError(unknown_parameter(type(self).__name__, name, names))
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [f"{option.name}={_short(getattr(self, option.name))}" for option in self._options
                   if not is_default(option, getattr(self, option.name))]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True), transformer_tags=None,
                    classifier_tags=ClassifierTags(), regressor_tags=None, array_api_support=False, no_validation=False,
                    non_deterministic=False, requires_fit=True, input_tags=InputTags(sparse=True))

    def _more_tags(self) -> Dict[str, Any]:
        """Tags for scikit-learn before 1.6."""
        return {"requires_y": True, "X_types": ["2darray", "sparse"]}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"<{type(value).__name__}>"


def initializer(owner: str, options: List[Option]) -> Any:
    """An __init__ whose signature has all parameters with their defaults."""

    def __init__(self: Any, **params: Any) -> None:
        Estimator.__init__(self, **params)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    others = [inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
              for option in options]
    __init__.__signature__ = inspect.Signature([own, *others])  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{owner}.__init__"
    return __init__
