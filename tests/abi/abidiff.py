#!/usr/bin/env python3
"""The library offers what 0.1.0 offered: libabigail compares its debug information with gprgnn-0.1.0.abi.

    tests/abi/abidiff.py LIBGPRGNN_SO        (built with -g)

A function that is gone or changed fails. So does a changed value of an enum, or a changed field of a struct. New
functions pass, and so do new values of an enum, and new fields at the end of a struct that begins with struct_size.
Then descriptions that are wrong on purpose show that the comparison sees each of these.

gprgnn-0.1.0.abi was made from a build of 0.1.0 with -O0 -g, by abidw with the options DESCRIBE.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

DESCRIBE = """--exported-interfaces-only --drop-private-types --headers-dir include --no-show-locs --no-corpus-path
    --no-comp-dir-path --no-elf-needed --no-parameter-names --no-write-default-sizes --type-id-style hash"""
HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
with open(os.path.join(HERE, "gprgnn-0.1.0.abi"), encoding="utf-8") as file:
    OLD = file.read()


def describe(library):
    """The library's description, without the versions of its names: 0.1.0 had none, and abidiff takes a name with a
    version for another function, whose types it does not compare."""
    options = DESCRIBE.replace("include", INCLUDE).split()
    text = subprocess.run(["abidw", *options, library], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "<function-decl" in text, f"{library} has no debug information: build it with -g"
    text = re.sub(r"(<elf-symbol [^>]*?) version='[^']*' is-default-version='yes'", r"\1", text)
    return re.sub(r"(elf-symbol-id='\w+)@@[^']*'", r"\1'", text)


def fields(struct):
    """The fields of a struct, as (offset in bits, element, name)."""
    return [(int(member.get("layout-offset-in-bits")), member, member.find("var-decl").get("name"))
            for member in struct.findall("data-member")]


def structs(root):
    """The structs of a description that begin with struct_size, by their names."""
    found = {struct.get("name"): struct for struct in root.iter("class-decl") if fields(struct)}
    return {name: struct for name, struct in found.items() if fields(struct)[0][2] == "struct_size"}


def enums(root):
    """The enums of a description, by their names."""
    return {enum.get("name"): enum for enum in root.iter("enum-decl")}


def without_additions(before, after):
    """`after` without what may be new: further values of an enum, and fields behind the old end of a struct that begins
    with struct_size. A field in the padding at its old end is not among them: no struct_size tells whether it is
    there."""
    old_root, root = ElementTree.fromstring(before), ElementTree.fromstring(after)
    old_enums, old = enums(old_root), structs(old_root)
    for name, enum in enums(root).items():
        known = [value.get("name") for value in old_enums.get(name, enum).findall("enumerator")]
        for value in enum.findall("enumerator"):
            if value.get("name") not in known:
                enum.remove(value)
    for name, struct in structs(root).items():
        if name not in old:
            continue
        size = int(old[name].get("size-in-bits"))
        for offset, member, _ in fields(struct):
            if offset >= size:
                struct.remove(member)
        if int(struct.get("size-in-bits")) > size:
            struct.set("size-in-bits", str(size))
    return ElementTree.tostring(root, encoding="unicode")


def compare(before, after):
    """What abidiff says of two descriptions; "" if nothing but what is allowed."""
    with tempfile.TemporaryDirectory() as scratch:
        names = [os.path.join(scratch, name) for name in ("before.abi", "after.abi")]
        for name, text in zip(names, (before, without_additions(before, after))):
            with open(name, "w", encoding="utf-8") as out:
                out.write(text)
        done = subprocess.run(["abidiff", "--no-added-syms", "--harmless", "--leaf-changes-only", *names],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return (done.stdout or f"abidiff returned {done.returncode}") if done.returncode else ""


# ---- descriptions that are wrong on purpose ----

def changed(pattern, replacement, text=OLD):
    """The description with the first match replaced."""
    found = re.sub(pattern, replacement, text, count=1, flags=re.S)
    assert found != text, pattern
    return found


def field(struct, name):
    """The lines of a field."""
    body = re.search(rf"<class-decl name='{struct}' size.*?</class-decl>", OLD, re.S).group()
    return re.search(rf" *<data-member [^>]*>\s*<var-decl name='{name}' [^>]*>\s*</data-member>\n", body).group()


def without(struct, name, bits=None):
    """A struct without a field; bits: the size of the struct then."""
    text = changed(re.escape(field(struct, name)), "")
    return changed(rf"(<class-decl name='{struct}' size-in-bits=)'\d+'", rf"\g<1>'{bits}'", text) if bits else text


def retyped(struct, name, other, text=OLD):
    """A field with the type of another field."""
    kind = re.search("type-id='[^']*'", field(struct, other)).group()
    return changed(re.escape(field(struct, name)), re.sub("type-id='[^']*'", kind, field(struct, name)), text)


def without_function(name):
    """The description without a function."""
    text = changed(rf" *<elf-symbol name='{name}'[^>]*>\n", "")
    return changed(rf" *<function-decl name='{name}'.*?</function-decl>\n", "", text)


MUST_FAIL = {
    "a function is gone": OLD.replace("gpr_peak_memory", "gpr_largest_memory"),
    "an argument is another": changed(r"(<function-decl name='gpr_model_features'[^>]*>\s*<parameter type-id=)'[^']*'",
                                      r"\1'95e97e5e'"),
    "an argument is added": changed(r"(<function-decl name='gpr_model_features'[^>]*>)\s*<parameter [^>]*>", r"\1"),
    "a value of an enum is another": changed("'GPR_ERROR_IO' value='-3'", "'GPR_ERROR_IO' value='-33'"),
    "a value of an enum is gone": changed("'GPR_VAL'", "'GPR_VALIDATE'"),
    "a field has another type": retyped("gpr_ctx_options", "threads", "struct_size"),
    "a field has another name": changed("<var-decl name='best_epoch'", "<var-decl name='best'"),
    "a field came in the middle": without("gpr_ctx_options", "progress"),
    "a field came at the end of a struct without struct_size": without("gpr_allocator", "user", 128),
    "a field came into the padding at the end": without("gpr_fetch_options", "user"),
    "a field came at the end, and another changed": retyped("gpr_fetch_options", "mirror", "pause",
                                                            without("gpr_fetch_options", "user", 448)),
}
MUST_PASS = {
    "a value of an enum is new": changed(r" *<enumerator name='GPR_ERROR_STOPPED'[^>]*>\n", ""),
    "a function is new": without_function("gpr_peak_memory"),
    "a field came at the end of a struct with struct_size": without("gpr_fetch_options", "user", 448),
}


def main():
    if not shutil.which("abidiff"):
        print("skipped: there is no abidiff, so the ABI was not compared (Debian: abigail-tools)", file=sys.stderr)
        return 77
    new, failures = describe(sys.argv[1]), 0
    said = compare(OLD, new)
    if said:
        print(f"{said}\nFAILED: a program that was built with 0.1.0 may not work with {sys.argv[1]}", file=sys.stderr)
        return 1
    for cases, must_fail in ((MUST_FAIL, True), (MUST_PASS, False)):
        for what, description in cases.items():
            said = compare(description, new)
            right = bool(said) == must_fail
            failures += not right
            print("ok" if right else f"FAILED ({'not seen' if must_fail else said})", "-", what)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
