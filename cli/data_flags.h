/* The flags that say what the data is: the same for every command that takes data. */
#ifndef CLI_DATA_FLAGS_H
#define CLI_DATA_FLAGS_H

#include "common.h"

/* The flag of the data at `index`, from 0, by the library's table; in its help, words in backquotes are flags. false:
   there are no more. */
bool data_flag(int index, cli_flag *out);

/* Collects the flags and DATA (NULL: not given). params: NULL, or with what a config.json says of the data; it counts
   where neither DATA nor --edges is given. EXIT_OK, or the exit status after an error message. */
int read_data_flags(gpr_open_options *out, const cli_arguments *args, const char *data, const gpr_params *params);
/* Frees what read_data_flags has allocated, also after an error. */
void free_data_flags(gpr_open_options *options);
/* Opens the data that the flags and DATA (NULL: not given) name. model: the one that will predict on it, or NULL.
   EXIT_OK, or the exit status after an error message. */
int open_data(gpr_dataset **out, cli_session *session, const cli_arguments *args, const char *data,
              const gpr_model *model);

#endif
