import type { SentenceRow } from '../sentence-row.js';

/** Values of a row that cannot be read, and rows that are left out for them. */
export const VALUE_SENTENCES = {
  row_left_out: { en: '{fault}; the row is left out', zh: '{fault}；该行未导入' },
  line_left_out: { en: '{fault}; the line is left out', zh: '{fault}；该日志行未导入' },
  value_no_integer: { en: '{column} is not a whole number', zh: '{column} 不是整数' },
  value_too_large: { en: '{column} is too large to be kept to the unit', zh: '{column} 过大，无法精确保存' },
  value_no_number: { en: '{column} is not a number', zh: '{column} 不是数字' },
  value_no_json: { en: '{column} is not JSON', zh: '{column} 不是 JSON' },
  value_no_object: { en: '{column} is not a JSON object', zh: '{column} 不是 JSON 对象' },
  value_no_list: { en: '{column} is not a list', zh: '{column} 不是列表' },
  value_no_date: { en: '{column} is not a date', zh: '{column} 不是日期' },
  value_empty: { en: '{column} is empty', zh: '{column} 为空' },
  row_not_stored: {
    en: 'could not be stored and is left out: {reason}',
    zh: '无法保存，未导入：{reason}',
  },
  column_unknown: { en: 'the column {column} is not known here', zh: '此处不认识列 {column}' },
} as const satisfies Record<string, SentenceRow>;
