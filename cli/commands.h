/* The commands of the program. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "args.h"

extern const cli_command train_command;
extern const cli_command predict_command;
extern const cli_command search_command;
extern const cli_command paper_command;
extern const cli_command generate_command;
extern const cli_command info_command;
extern const cli_command inspect_command;
extern const cli_command explain_command;
extern const cli_command compare_command;
extern const cli_command rank_command;
extern const cli_command report_command;
extern const cli_command convert_command;
extern const cli_command fetch_command;
extern const cli_command verify_command;
extern const cli_command completion_command;

/* All of them, in the order of the help; NULL ends them. */
extern const cli_command *const commands[];

#endif
