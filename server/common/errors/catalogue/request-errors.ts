import type { ErrorRow } from '../error-row.js';

/** Errors that any request may get. */
export const REQUEST_ERRORS = {
  not_signed_in: {
    status: 401,
    en: 'Not logged in or login has expired, please log in again',
    zh: '未登录或登录已过期，请重新登录',
  },
  session_required: {
    en: 'This needs a login: an access token may not do it',
    zh: '此操作需要登录后进行，不能使用访问令牌',
  },
  not_permitted: { en: 'You have no permission to do this', zh: '无权进行此操作' },
  not_found: { en: 'Not found', zh: '未找到' },
  invalid_input: { en: 'Invalid parameter: {field}{problem}', zh: '参数错误：{field}{problem}' },
  too_many_requests: {
    status: 429,
    en: 'Too many requests, please try again later',
    zh: '请求次数过多，请稍后再试',
  },
  internal: {
    status: 500,
    en: 'Internal server error, please contact the administrator (request {requestId})',
    zh: '服务器内部错误，请联系管理员（请求 {requestId}）',
  },
  malformed_input: {
    status: 400,
    en: 'Invalid parameter: {field}{problem}',
    zh: '参数错误：{field}{problem}',
  },
  body_unreadable: { status: 400, en: 'The request body is not valid JSON', zh: '请求体不是有效的 JSON' },
  body_too_complex: {
    status: 400,
    en: 'The request body is nested too deeply or has too many members',
    zh: '请求体嵌套过深或成员过多',
  },
  body_too_large: { status: 413, en: 'The request body is too large', zh: '请求体过大' },
  media_type_unsupported: {
    status: 415,
    en: 'The request body must be JSON (Content-Type: application/json, not compressed)',
    zh: '请求体必须是 JSON（Content-Type: application/json，且未压缩）',
  },
  address_unreadable: { status: 400, en: 'The address of the request is malformed', zh: '请求地址格式错误' },
  request_unreadable: { status: 400, en: 'The request is not valid HTTP', zh: '请求不是有效的 HTTP' },
  head_too_large: {
    status: 431,
    en: 'The address and header fields of the request are larger than {limit} KB together',
    zh: '请求地址与请求头合计超过 {limit} KB',
  },
  request_late: {
    status: 408,
    en: 'The request did not come whole in time',
    zh: '请求未能在限定时间内完整到达',
  },
  parameter_repeated: {
    status: 400,
    en: 'The parameter {name} was given more than once',
    zh: '参数 {name} 重复',
  },
  foreign_origin: {
    status: 403,
    en: 'The request comes from another site and was refused',
    zh: '请求来自其他站点，已被拒绝',
  },
  server_busy: {
    status: 503,
    en: 'The server is busy, please try again shortly',
    zh: '服务器繁忙，请稍后再试',
  },
  server_stopping: {
    status: 503,
    en: 'This server is restarting, please try again',
    zh: '服务器正在重启，请重试',
  },
  store_unavailable: {
    status: 503,
    en: 'A service this needs is not available right now, please try again shortly',
    zh: '所需的服务暂时不可用，请稍后再试',
  },
  database_unavailable: {
    status: 503,
    en: 'The database is not available right now, please try again shortly',
    zh: '数据库暂时不可用，请稍后再试',
  },
  database_read_only: {
    status: 503,
    en: 'The database takes no changes at the moment; reading goes on',
    zh: '数据库当前为只读，暂时无法保存更改；读取不受影响',
  },
  database_behind: {
    status: 503,
    en: 'The database of this gateway is older than it was before; nothing is accepted until its operator has decided what to do',
    zh: '本站数据库回退到了较早的状态，在管理员处理之前暂不接受任何操作',
  },
  database_too_slow: {
    status: 503,
    en: 'Answering this takes the database too long: narrow the time range or the filters',
    zh: '查询耗时过长：请缩小时间范围或筛选条件',
  },
  demo_site: { status: 405, en: 'This site is for demonstration only', zh: '本站仅作演示之用' },
  method_not_allowed: {
    status: 405,
    en: 'This address does not allow {method}',
    zh: '该地址不支持 {method} 方法',
  },
  undo_over: {
    en: 'Only the account that deleted it can undo this, within {minutes} minutes; root restores it from the bin later',
    zh: '仅执行删除的账户可在 {minutes} 分钟内撤销；之后由超级管理员从回收站恢复',
  },
  restore_not_kept: {
    en: 'It cannot be restored: its key or personal fields are no longer kept',
    zh: '无法恢复：其密钥或个人信息已不再保留',
  },
  page_out_of_reach: {
    status: 400,
    en: 'Only the first {max} rows can be paged through: narrow the filters',
    zh: '只能翻看前 {max} 行：请缩小筛选范围',
  },
  span_too_long: { en: 'The time range may be at most {days} days', zh: '时间跨度不能超过 {days} 天' },
} as const satisfies Record<string, ErrorRow>;
