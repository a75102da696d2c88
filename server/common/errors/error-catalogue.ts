/**
 * Every refusal of the console API: a stable code, its HTTP status, and the sentence in both languages.
 * Business refusals are 200 with `success: false`, as the clients of this API family expect (design/contract).
 */
export interface ErrorRow {
  readonly status: 200 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;
  readonly en: string;
  readonly zh: string;
}

export const ERROR_CATALOGUE = {
  not_signed_in: {
    status: 401,
    en: 'Not logged in or login has expired, please log in again',
    zh: '未登录或登录已过期，请重新登录',
  },
  not_permitted: { status: 200, en: 'You have no permission to do this', zh: '无权进行此操作' },
  not_found: { status: 200, en: 'Not found', zh: '未找到' },
  invalid_input: { status: 200, en: 'Invalid parameter: {field}', zh: '参数错误：{field}' },
  too_many_requests: { status: 429, en: 'Too many requests, please try again later', zh: '请求次数过多，请稍后再试' },
  internal: {
    status: 500,
    en: 'Internal server error, please contact the administrator (request {requestId})',
    zh: '服务器内部错误，请联系管理员（请求 {requestId}）',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
