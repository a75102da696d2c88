import { consoleTexts } from './zh/console';
import { settingsTexts } from './zh/settings';
import { start } from './zh/start';

/** Chinese texts. */
export const zh = { ...start, ...consoleTexts, ...settingsTexts };
