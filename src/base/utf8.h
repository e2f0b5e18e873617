/* UTF-8: which bytes are a letter, and texts of unknown origin spelled for people, CSV and JSON. */
#ifndef GPRI_UTF8_H
#define GPRI_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

bool gpri_is_utf8(const char *text);
/* The first byte that is not UTF-8, or -1. text: (size) whole lines, ending with '\n'. */
int64_t gpri_utf8_fault(const char *text, int64_t size);
/* Names from files need not be UTF-8, as JSON must be: where a text is not, its bytes beyond ASCII become '?'. */
void gpri_make_utf8(char *text);
/* Is the letter at `text` one that JSON permits but a terminal obeys or hides? Then its bytes, and its code; else 0. */
int gpri_hidden_letter(const char *text, unsigned *code);

/* Writes the letter with this code, at most 4 bytes; '?' for a code that no letter has. Returns how many. */
int gpri_put_letter(char *to, uint32_t code);
/* The code of the letter at *at, which moves on. The text is UTF-8, and not at its end. */
uint32_t gpri_take_letter(const char **at);

#endif
