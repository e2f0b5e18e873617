/* The commands of the program. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "args.h"

extern const cli_command train_command, predict_command, generate_command, info_command, convert_command, fetch_command,
    verify_command, report_command;

#endif
