import { describe, expect, it } from '@jest/globals';
import { en } from '../../i18n/en';
import { OPTION_FIELDS } from '../../testing/option-fields';
import { findSettings, settingEntries } from './settings-index';

const entries = settingEntries(OPTION_FIELDS, {
  label: ({ id }) => en.settings.option[id].label,
  help: ({ id }) => {
    const texts = en.settings.option[id];
    return 'help' in texts ? texts.help : '';
  },
  heading: (heading) => en.settings.heading[heading],
});
const keysOf = (text: string): readonly string[] => findSettings(entries, text).map(({ key }) => key);

describe('the search over settings', () => {
  it('finds an option by its key in any case', () => {
    expect(keysOf('smtpserver')[0]).toBe('SMTPServer');
    expect(keysOf('RetryTimes')[0]).toBe('RetryTimes');
  });

  it('finds by words of label, heading and help together, those in the label first', () => {
    const entry = (key: string, label: string, help: string) => ({
      key,
      label,
      help,
      heading: 'Mail',
      tab: 'system' as const,
      path: '',
    });
    const some = [
      entry('B', 'Port', 'of the server'),
      entry('A', 'Server port', ''),
      entry('C', 'Other', ''),
    ];
    expect(findSettings(some, 'port server').map(({ key }) => key)).toEqual(['A', 'B']);
    expect(findSettings(some, 'mail port').map(({ key }) => key)).toEqual(['B', 'A']);
  });

  it('leads to the tab and the place of the setting', () => {
    const [found] = findSettings(entries, 'RetryTimes');
    expect(found?.path).toBe('/setting?tab=operation#setting-retryTimes');
  });

  it('finds nothing for no text and for no match, and twelve at most', () => {
    expect(keysOf('  ')).toEqual([]);
    expect(keysOf('no such thing at all')).toEqual([]);
    expect(findSettings(entries, 'e')).toHaveLength(12);
  });
});
