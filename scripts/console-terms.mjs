/**
 * One word for one thing in the texts of the console: the word to use, and the pattern of the words that are not used for it.
 * `except` names texts, or whole files, where the other word is right; sentences of the specification stand there too.
 */
export const TERMS = {
  en: [
    {
      use: 'log in, login, log out',
      not: /\b(?:sign(?:s|ed|ing)?[- ](?:in|out)|sign-ins)\b|\bsign(?:s|ed|ing)? \w+ out\b/i,
    },
    { use: 'email', not: /\be-mail|\bmail address/i },
    { use: 'image', not: /\bpictures?\b/i },
    { use: 'turn on, turn off', not: /\bswitch(?:es|ed|ing)?[- ](?:it )?(?:on|off)\b/i },
    { use: 'provider', not: /\b(?:upstream|supplier)s?\b/i },
    { use: 'provider, or “vendor” for the maker of a model', not: /\bvendors?\b/i, except: ['pricing'] },
    { use: 'service tier', not: /\bclass(?:es)? of service\b/i },
    { use: 'top-up', not: /\b(?:recharge|refill)/i },
    { use: 'set-up, set up', not: /\bsetup\b/i },
    {
      use: 'channel key, or “API token” for the key of a caller',
      not: /\b(?:channel token|API tokens? key)\b/i,
    },
    { use: 'redemption code', not: /\b(?:voucher|coupon|gift card)s?\b/i },
    { use: 'playground', not: /\bsandbox\b/i },
    { use: 'recipient', not: /\breceivers?\b/i },
    {
      use: 'the person by role: users, accounts, administrators',
      not: /\b(?:somebody|nobody|anybody|everybody|whoever)\b/i,
    },
    {
      use: 'American spelling',
      not: /\b(?:colours?|grey|behaviours?|licence|(?:initial|recogn|organ|author|normal|priorit)is(?:e[ds]?|ing|ation))\b/i,
    },
  ],
  zh: [
    {
      use: '您',
      not: /你(?!好)/,
      except: ['identity.code.sent', 'personal.profile.nothing', 'settings.nothing'],
    },
    { use: '账户', not: /(?<!服务)账号/ },
    { use: '渠道', not: /通道/, except: ['channels_to_delete_required'] },
    { use: '服务商', not: /上游|供应商|提供商/ },
    { use: '备用码', not: /恢复码|恢复代码/ },
    { use: '屏蔽词', not: /敏感词/ },
    { use: '首字', not: /首个 ?[Tt]oken/ },
    { use: '令牌（调用方持有）', not: /API ?令牌密钥|访问密钥/ },
    { use: '兑换码', not: /充值码|礼品码/ },
    { use: '注销（账户）', not: /删除用户/ },
    { use: 'Telegram', not: /电报/ },
    {
      use: 'Token',
      not: /(?<![\w.])tokens?\b/,
      except: ['pricing.lead', 'pricing.formula', 'pricing.unitTokens', 'pricing.perMillion'],
    },
    { use: '百万 Token', not: /1M Tokens?/i, except: ['pricing'] },
    { use: '剪贴板', not: /剪切板/, except: ['personal.invite.copied'] },
    { use: '操练场', not: /游乐场|试验场/ },
  ],
};
