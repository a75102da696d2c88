/** Text of each file by its name, by language; the others are compared with the first. */
export type ConsoleTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One line per fault: language and key, rule, sentence. */
export function consoleTextFaults(files: ConsoleTexts): string[];

/** Words of a text of the console or the server that the console has another word for: one line per fault. */
export function termFaults(language: string, id: string, text: string): string[];

export function readConsoleTexts(root: string): ConsoleTexts;
