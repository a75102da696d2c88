import { describe, expect, it } from '@jest/globals';
import i18next, { type TFunction } from 'i18next';
import { en } from '../../i18n/en';
import { zh } from '../../i18n/zh';
import { logText } from './log-text';

async function words(lng: 'en' | 'zh'): Promise<TFunction> {
  const resources = { en: { translation: en }, zh: { translation: zh } };
  return i18next.createInstance().init({ lng, resources, interpolation: { escapeValue: false } });
}

const RATIOS = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, model_price: -1 };
const STORED = 'model ratio 1.25, completion ratio 4.00, group ratio 1.00';

const call = (other: unknown, content = STORED) => ({ type: 2, content, other: JSON.stringify(other) });

describe('the text of a log line', () => {
  it('says the price of a call in the reader’s language', async () => {
    expect(logText(call(RATIOS), await words('en'))).toBe(
      'Model ratio 1.25, completion ratio 4.00, group ratio 1.00',
    );
    expect(logText(call(RATIOS), await words('zh'))).toBe('模型倍率 1.25，补全倍率 4.00，分组倍率 1.00');
    expect(logText(call({ ...RATIOS, model_ratio: 0, model_price: 0.0125 }), await words('zh'))).toBe(
      '按次计费 $0.0125，分组倍率 1.00',
    );
  });

  it('says the ending and a missing price as well, and keeps notes it has no words for', async () => {
    const t = await words('zh');
    const unset = `${STORED}, price not set: fallback ratio`;
    expect(logText(call({ ...RATIOS, outcome: 'client_abort' }, `${unset}; the client left`), t)).toBe(
      ['模型倍率 1.25，补全倍率 4.00，分组倍率 1.00', zh.logs.text.unset, zh.logs.outcome.client_abort].join(
        ' · ',
      ),
    );
    expect(logText(call({ ...RATIOS, outcome: 'ok' }, `${STORED}; something new`), t)).toContain(
      ' · something new',
    );
  });

  it('leaves every other text as it is stored', async () => {
    const t = await words('zh');
    expect(logText({ type: 3, content: 'Changed channel 1', other: '' }, t)).toBe('Changed channel 1');
    expect(logText(call({ group_ratio: 'x' }), t)).toBe(STORED);
    expect(logText({ type: 2, content: STORED, other: '' }, t)).toBe(STORED);
  });
});
