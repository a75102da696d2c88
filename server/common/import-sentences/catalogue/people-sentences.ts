import type { SentenceRow } from '../sentence-row.js';

/** Accounts, their ways in, and what they had beside their rows. */
export const PEOPLE_SENTENCES = {
  password_no_hash: {
    en: 'the stored password is no hash and never signed in there: it is left out',
    zh: '保存的密码不是哈希，在来源中也无法登录：未导入密码',
  },
  password_slow: {
    en: 'the password hash has cost {cost}: each sign-in takes seconds until the first one that succeeds',
    zh: '密码哈希的成本为 {cost}：首次成功登录之前，每次登录需要数秒',
  },
  password_public: {
    en: 'still has the password {password}: it arrives without a password, and needs a new one by e-mail or from root',
    zh: '仍使用密码 {password}：导入后没有密码，需要通过邮件或由超级管理员设置新密码',
  },
  factor_unreadable: {
    en: 'the secret of the authenticator app cannot be read: the person sets a password by e-mail before the first sign-in',
    zh: '无法读取身份验证器的密钥：首次登录前需要通过邮件设置密码',
  },
  passkeys_without_host: {
    en: 'the host name of the passkeys is not known: the person adds them anew',
    zh: '不知道通行密钥所属的主机名：需要重新添加',
  },
  passkeys_of_host: {
    en: 'the passkeys sign in while this gateway is at {host}, and nowhere else',
    zh: '通行密钥仅在本网关位于 {host} 时可以登录',
  },
  github_login_name: {
    en: 'is bound to GitHub by a login name, not an id: the person binds it anew',
    zh: '以登录名而非 ID 绑定 GitHub：需要重新绑定',
  },
  binding_without_counterpart: {
    en: 'the binding to {provider} has no counterpart here',
    zh: '与 {provider} 的绑定在此处没有对应项',
  },
  name_cut: {
    en: 'its name has more than {max} characters and is cut to {name}',
    zh: '名称超过 {max} 个字符，已截断为 {name}',
  },
  name_empty: {
    en: 'has no name: it becomes {name}',
    zh: '没有名称：改名为 {name}',
  },
  no_way_in: {
    en: '{name} has no password, no identity and no e-mail: root sets a password',
    zh: '{name} 没有密码、外部身份和邮箱：由超级管理员设置密码',
  },
  group_without_ratio: {
    en: '{name} is in the group {group}, which GroupRatio does not have: give it a ratio, or move the account',
    zh: '{name} 属于分组 {group}，而 GroupRatio 中没有该分组：请为其设置倍率，或移动该账户',
  },
  plan_left_behind: {
    en: 'user {user} has a plan until {date} with {left} units left, which is not carried: the balance here is {balance}',
    zh: '用户 {user} 的订阅有效期至 {date}，剩余 {left} 单位，不会导入：此处余额为 {balance}',
  },
  count_checkins: { en: '{count} check-ins', zh: '{count} 条签到记录' },
  count_plan_orders: { en: '{count} orders of plans', zh: '{count} 个订阅订单' },
  count_backup_codes: {
    en: '{count} backup codes of authenticator apps: people make new ones',
    zh: '{count} 个身份验证器备用码：需要重新生成',
  },
  count_own_providers: {
    en: '{count} bindings to own OAuth providers: people sign in another way',
    zh: '{count} 个自定义 OAuth 绑定：需要用其他方式登录',
  },
  tasks_not_finished: {
    en: '{count} are not finished and stay behind: let the old program finish them, and import again',
    zh: '{count} 个尚未完成，未导入：请待原程序完成后再次导入',
  },
  name_taken_left_out: {
    en: 'the name {name} is taken by account {holder}: left out with its tokens (--conflicts rename keeps it)',
    zh: '名称 {name} 已被账户 {holder} 占用：连同其令牌未导入（选择改用其他名称即可导入）',
  },
  name_taken_renamed: {
    en: 'the name {name} is taken by account {holder}: it becomes {becomes}',
    zh: '名称 {name} 已被账户 {holder} 占用：改名为 {becomes}',
  },
  name_twice_left_out: {
    en: 'the name {name} is the same here as that of another account of the source: left out with its tokens (--conflicts rename keeps it)',
    zh: '名称 {name} 在此处与来源中另一账户相同：连同其令牌未导入（选择改用其他名称即可导入）',
  },
  name_twice_renamed: {
    en: 'the name {name} is the same here as that of another account of the source: it becomes {becomes}',
    zh: '名称 {name} 在此处与来源中另一账户相同：改名为 {becomes}',
  },
  mail_taken_left_out: {
    en: 'the e-mail {mail} belongs to account {holder}: left out with its tokens (--conflicts rename keeps it)',
    zh: '邮箱 {mail} 属于账户 {holder}：连同其令牌未导入（选择改用其他名称即可导入）',
  },
  mail_taken: {
    en: 'the e-mail {mail} belongs to another account: it arrives without one',
    zh: '邮箱 {mail} 属于另一账户：导入后没有邮箱',
  },
  access_token_taken: {
    en: 'its access token belongs to another account: it arrives without it',
    zh: '其访问令牌属于另一账户：导入后没有访问令牌',
  },
  invite_code_taken: {
    en: 'its invite code belongs to another account: it arrives without it',
    zh: '其邀请码属于另一账户：导入后没有邀请码',
  },
  identity_taken: {
    en: 'its {provider} identity belongs to another account: it arrives without it',
    zh: '其 {provider} 身份属于另一账户：导入后没有该身份',
  },
  balance_below_zero: {
    en: 'has a balance below 0 ({quota}): it may not call until it is above',
    zh: '余额为负（{quota}）：高于 0 之前不能调用',
  },
  figures_not_moved: {
    en: 'has less here than was spent there since the run before: nothing was moved',
    zh: '此处余额少于上次运行以来在来源中的消费：未更新',
  },
  changed_figures_follow: {
    en: 'was changed in the source since the run before: only its figures follow',
    zh: '上次运行以来在来源中已更改：仅更新其数值',
  },
  changed_use_follows: {
    en: 'was changed in the source since the run before: only its use follows',
    zh: '上次运行以来在来源中已更改：仅更新其用量',
  },
  changed_stays: {
    en: 'was changed in the source since the run before, and stays as it is here',
    zh: '上次运行以来在来源中已更改，此处保持不变',
  },
  task_without_account: {
    en: 'belongs to an account that is not here',
    zh: '所属账户未导入',
  },
} as const satisfies Record<string, SentenceRow>;
