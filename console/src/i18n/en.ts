import { consoleTexts } from './en/console';
import { settingsTexts } from './en/settings';
import { start } from './en/start';

/** English texts; their shape is the type every other language is held to. */
export const en = { ...start, ...consoleTexts, ...settingsTexts };
