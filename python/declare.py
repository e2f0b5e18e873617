#!/usr/bin/env python3
"""Writes python/gprgnn/_header.py: include/gprgnn.h for ctypes.

    python3 python/declare.py            # prints it
    python3 python/declare.py --write    # writes the file

The header is regular C: typedefs of structs, enums and callbacks, and functions marked GPR_API. This reads just that,
and ends with an error at any declaration that it does not understand.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include" / "gprgnn.h"
TARGET = ROOT / "python" / "gprgnn" / "_header.py"

# Handles and structs are added to these as they are declared.
PLAIN = {
    "void": "None", "char": "C.c_char", "int": "C.c_int", "double": "C.c_double", "float": "C.c_float",
    "size_t": "C.c_size_t", "int32_t": "C.c_int32", "int64_t": "C.c_int64", "uint8_t": "C.c_uint8",
    "uint64_t": "C.c_uint64",
}


class Declarations:
    """What the header declares, in its order."""

    def __init__(self):
        self.constants = []  # (name, value)
        self.enums = set()
        self.structs = {}  # name: fields [(name, type)]; None: a handle
        self.callbacks = []  # (name, result, arguments)
        self.functions = []  # (name, result, arguments)

    def type_of(self, base, pointers, constant):
        """The ctypes type of `base` with so many stars, as text. constant: what the last star points to is const."""
        if base == "void":
            return "None" if not pointers else pointer_to("C.c_void_p", pointers - 1)
        if base == "char" and pointers:
            # Bytes that the caller frees must keep their address, so they are no c_char_p.
            text = "C.c_char_p" if constant or pointers == 1 else "C.c_void_p"
            return pointer_to(text, pointers - 1)
        if base in self.enums:
            return pointer_to("C.c_int", pointers)
        if base in PLAIN:
            return pointer_to(PLAIN[base], pointers)
        if base in self.structs or base in {name for name, _, _ in self.callbacks}:
            return pointer_to(base, pointers)
        raise SystemExit(f"declare.py: unknown type '{base}'")


def pointer_to(text, times):
    for _ in range(times):
        text = f"C.POINTER({text})"
    return text


def statements(text):
    """The declarations of the header, without comments, directives and the braces of extern "C"."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*$", " ", text, flags=re.M)
    text = text.replace('extern "C" {', " ", 1)
    depth, start = 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            yield " ".join(text[start:i].split())
            start = i + 1


def versions(text):
    return re.findall(r'^#define (GPR_VERSION_(?:MAJOR|MINOR|PATCH|STRING)) (\S+)$', text, flags=re.M)


def split_commas(text):
    """At commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def read_declarator(known, text):
    """(name, ctypes type) of 'const float *values', 'char fingerprint[33]', 'void *(*resize)(void *user, ...)'."""
    function = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", text)
    if function:
        result, name, arguments = function.groups()
        return name, function_type(known, result, arguments)
    match = re.fullmatch(r"((?:const |struct )*)(\w+)((?: |\*|const\b)*)(\w+)?((?:\[\w+\])*)", text)
    if not match:
        raise SystemExit(f"declare.py: cannot read '{text}'")
    before, base, stars, name, lengths = match.groups()
    kind = known.type_of(base, stars.count("*"), "const" in before)
    for length in re.findall(r"\[(\w+)\]", lengths):
        kind = f"{kind} * {length}"
    return name, kind


def function_type(known, result, arguments):
    kinds = [read_declarator(known, result.strip())[1]] + argument_types(known, arguments)
    return f"C.CFUNCTYPE({', '.join(kinds)})"


def argument_types(known, text):
    if text.strip() == "void":
        return []
    return [read_declarator(known, part)[1] for part in split_commas(text)]


def read_fields(known, body):
    """Fields of a struct; one declaration may have several: 'const char *name, *path; double ci95[2]'."""
    fields = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        first, *others = split_commas(line)
        fields.append(read_declarator(known, first))
        base = re.match(r"(?:const |struct )*\w+ ", first)
        fields += [read_declarator(known, base.group() + other) for other in others]
    return fields


def read_enum(known, body):
    for entry in split_commas(body):
        name, value = entry.split("=")
        known.constants.append((name.strip(), int(value)))


def read_header(text):
    known = Declarations()
    known.constants += re.findall(r"^#define (GPR_UNKNOWN_CLASS) \((-?\d+)\)$", text, flags=re.M)
    # A struct may point to one that is declared later.
    for name in re.findall(r"^typedef struct (\w+)", text, flags=re.M):
        known.structs.setdefault(name, None)
    for line in statements(text):
        enum = re.fullmatch(r"(?:typedef )?enum (\w+ )?\{(.*)\}( \w+)?", line)
        struct = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", line)
        handle = re.fullmatch(r"typedef struct (\w+) \1", line)
        callback = re.fullmatch(r"typedef (.*?)\(\*(\w+)\)\((.*)\)", line)
        function = re.fullmatch(r"GPR_API (.*?)(\w+)\((.*?)\)(?: GPR_DEPRECATED\(.*\))?", line)
        if enum:
            read_enum(known, enum.group(2))
            known.enums.add((enum.group(1) or "").strip())
        elif struct:
            known.structs[struct.group(1)] = read_fields(known, struct.group(2))
        elif handle:
            pass
        elif callback:
            result, name, arguments = callback.groups()
            known.callbacks.append((name, result, function_type(known, result, arguments)))
        elif function:
            result, name, arguments = function.groups()
            known.functions.append((name, read_declarator(known, result.strip())[1], argument_types(known, arguments)))
        else:
            raise SystemExit(f"declare.py: cannot read '{line}'")
    return known


def wrap(text, indent):
    """Lines of at most 120 columns, cut after commas."""
    lines, line = [], ""
    for word in re.split(r"(?<=,) ", text):
        if line and len(line) + 1 + len(word) > 120:
            lines.append(line)
            line = " " * indent + word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join(lines + [line])


def module(text):
    """The text of _header.py."""
    known = read_header(text)
    out = ['"""include/gprgnn.h for ctypes. Written by python/declare.py: change the header, then run that."""',
           "# mypy: ignore-errors", "import ctypes as C", ""]
    out += [f"{name} = {value}" for name, value in versions(text)]
    out += ["", *(f"{name} = {value}" for name, value in known.constants), ""]
    for name, fields in known.structs.items():
        out += ["", f"class {name}(C.Structure):", "    pass" if fields else '    """A handle."""', ""]
    out += [""]
    out += [wrap(f"{name} = {kind}", 4) for name, _, kind in known.callbacks]
    out += [""]
    for name, fields in known.structs.items():
        if fields:
            out += [f"{name}._fields_ = ["]
            out += [wrap(f'    ("{field}", {kind}),', 8) for field, kind in fields]
            out += ["]", ""]
    out += ["# Name: result, arguments.", "FUNCTIONS = {"]
    for name, result, arguments in known.functions:
        out += [wrap(f'    "{name}": ({result}, [{", ".join(arguments)}]),', 8)]
    out += ["}", ""]
    return "\n".join(out)


def main():
    text = module(HEADER.read_text(encoding="utf-8"))
    if sys.argv[1:] == ["--write"]:
        TARGET.write_text(text, encoding="utf-8")
    elif sys.argv[1:]:
        raise SystemExit(__doc__)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
