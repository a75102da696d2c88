import settings from './settings.json' with { type: 'json' };

/** Texts of the settings, a third of all there are: loaded with the pages that show them. */
export const settingsTexts = { settings };
