/* Mutations of pickles: whole instructions are moved, repeated and changed; lengths before texts stay right. */
#ifndef FUZZ_OPCODES_H
#define FUZZ_OPCODES_H

#include "text.h"

typedef struct {
    size_t at, argument, end; /* the instruction, its argument, the next instruction */
} opcode;

static inline size_t line_end(const blob *b, size_t at) {
    while (at < b->size && b->bytes[at] != '\n') at++;
    return at < b->size ? at + 1 : at;
}

/* The instruction at `at`, which lies within the bytes. */
static inline opcode opcode_at(const blob *b, size_t at) {
    const size_t left = b->size - at - 1;
    const int wide = b->bytes[at] == 'U' || b->bytes[at] == 0x8a ? 1 : 4; /* of a length */
    opcode op = {at, at + 1, at + 1};
    size_t fixed = 0;
    switch (b->bytes[at]) {
    case 'I':
    case 'L':
    case 'S':
    case 'p':
    case 'g': op.end = line_end(b, at + 1); break;
    case 'c':
    case 'i': op.end = line_end(b, line_end(b, at + 1)); break;
    case 'T':
    case 'U':
    case 'X':
    case 0x8a:
    case 0x8b:
        if (left < (size_t)wide) break;
        op.argument = at + 1 + (size_t)wide;
        fixed = (size_t)wide + (size_t)read_number(b->bytes + at + 1, wide);
        break;
    case 'J':
    case 'r':
    case 'j': fixed = 4; break;
    case 'M': fixed = 2; break;
    case 'K':
    case 'q':
    case 'h':
    case 0x80: fixed = 1; break;
    default: break;
    }
    op.end += fixed < left ? fixed : fixed ? left : 0;
    if (op.argument > op.end) op.argument = op.end;
    return op;
}

static inline opcode any_opcode(const blob *b, chance *c) {
    size_t count = 0;
    for (size_t at = 0; at < b->size; count++) at = opcode_at(b, at).end;
    opcode op = opcode_at(b, 0);
    for (size_t left = below(c, count); left > 0; left--) op = opcode_at(b, op.end);
    return op;
}

/* A text and its length; a number. */
static inline void change_argument(blob *b, chance *c, opcode op) {
    blob argument = blob_copy(b->bytes + op.argument, op.end - op.argument);
    const size_t wide = op.argument - op.at - 1;
    if (wide > 0) {
        if (argument.size >= 4 && one_in(c, 2)) { /* one number of an array */
            const int64_t number = draw_integer(c);
            memcpy(argument.bytes + below(c, argument.size / 4) * 4, &number, 4);
        } else if (one_in(c, 3)) {
            const size_t size = below(c, argument.size + 1) / 4 * 4;
            blob_put(&argument, NULL, 4);
            if (one_in(c, 2)) argument.size = size;
        } else {
            mutate_bytes(&argument, c);
        }
        if (wide == 1 && argument.size > UINT8_MAX) argument.size = UINT8_MAX;
        for (size_t i = 0; i < wide; i++) b->bytes[op.at + 1 + i] = (uint8_t)(argument.size >> 8 * i);
    } else if (op.end > op.argument && b->bytes[op.end - 1] == '\n' && strchr("ILSpgci", b->bytes[op.at])) {
        mutate_text(&argument, c, NULL);
        blob_text(&argument, "\n");
    } else {
        const int64_t number = draw_integer(c);
        memcpy(argument.bytes, &number, argument.size < sizeof number ? argument.size : sizeof number);
    }
    blob_replace(b, op.argument, op.end - op.argument, argument.bytes, argument.size);
    blob_free(&argument);
}

static inline void insert_opcode(blob *b, chance *c, size_t at) {
    static const char *const some[] = {"N",
                                       "(",
                                       ")",
                                       "]",
                                       "}",
                                       "t",
                                       "l",
                                       "d",
                                       "a",
                                       "e",
                                       "s",
                                       "u",
                                       "b",
                                       "R",
                                       "\x81",
                                       "\x85",
                                       "\x86",
                                       "\x87",
                                       "\x88",
                                       "\x89",
                                       ".",
                                       "K\1",
                                       "J\1\1\1\1",
                                       "h\1",
                                       "q\1",
                                       "U\1a",
                                       "cnumpy\ndtype\n",
                                       "cnumpy\nndarray\n",
                                       "cnumpy.core.multiarray\n_reconstruct\n",
                                       "cscipy.sparse.csr\ncsr_matrix\n",
                                       "ccollections\ndefaultdict\n",
                                       "c__builtin__\nlist\n",
                                       "I01\n",
                                       "L5L\n"};
    const char *op = some[below(c, sizeof some / sizeof *some)];
    blob_replace(b, at, 0, op, strlen(op));
}

static inline void mutate_pickle(blob *b, chance *c, const void *how) {
    (void)how;
    if (b->size == 0) {
        mutate_bytes(b, c);
        return;
    }
    const opcode op = any_opcode(b, c), other = any_opcode(b, c);
    blob copy = blob_copy(b->bytes + op.at, op.end - op.at);
    switch (below(c, 10)) {
    case 0: blob_replace(b, op.at, op.end - op.at, NULL, 0); break;
    case 1: blob_replace(b, other.at, 0, copy.bytes, copy.size); break;
    case 2: insert_opcode(b, c, op.at); break;
    case 3: blob_replace(b, other.at, other.end - other.at, copy.bytes, copy.size); break;
    case 4: mutate_bytes(b, c); break;
    default:
        if (op.end > op.argument) change_argument(b, c, op);
        else insert_opcode(b, c, op.at);
    }
    blob_free(&copy);
}

#endif
