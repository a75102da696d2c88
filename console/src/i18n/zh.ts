import { consoleTexts } from './zh/console';
import { start } from './zh/start';

/** Chinese texts. */
export const zh = { ...start, ...consoleTexts };
