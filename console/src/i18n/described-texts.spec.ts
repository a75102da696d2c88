import { describe, expect, it } from '@jest/globals';
import { en } from './en';
import { zh } from './zh';

type Texts = { readonly [key: string]: string | Texts };

const pairsOf = (english: Texts, chinese: Texts): string[] =>
  Object.entries(english).flatMap(([key, text]) => {
    const other = chinese[key];
    return typeof text === 'string' ? [`${String(other)} = ${text}`] : pairsOf(text, other as Texts);
  });

const pairs = new Set(pairsOf(en, zh));

describe('the console, in the sentences that the specification words,', () => {
  it.each([
    // Settings and prices.
    ['不是合法的 JSON 字符串', 'Not valid JSON'],
    ['你似乎并没有修改什么', 'You seem not to have changed anything'],
    ['请检查输入', 'Please check what you entered'],
    ['部分保存失败，请重试', 'Some saves failed, please retry'],
    ['保存失败，请重试', 'Save failed, please retry'],
    ['刷新失败', 'Refresh failed'],
    [
      '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确',
      'Failed to fetch the OIDC configuration, please check the network and the discovery address',
    ],
    ['获取启用模型失败', 'Failed to get enabled models'],
    ['请输入数字', 'Please enter a number'],
    ['模型名称已存在', 'This model already has a price'],
    ['请输入填充值', 'Please enter a value'],
    ['请输入有效的数字', 'Please enter a valid number'],
    ['请输入模型倍率和补全倍率', 'Please enter both the input and the output figure'],
    // Channels.
    ['请填写渠道名称和渠道密钥！', 'Please fill in channel name and channel key!'],
    ['请至少选择一个模型！', 'Please choose at least one model!'],
    ['模型映射必须是合法的 JSON 格式！', 'The model mapping must be valid JSON!'],
    ['某些模型已存在！', 'Some models are already there!'],
    ['请填写密钥', 'Please fill in the key first'],
    ['没有任何修改！', 'No changes at all!'],
    ['标签不能为空！', 'The tag must not be empty!'],
    ['渠道未找到，请刷新页面后重试。', 'Channel not found, please refresh the page and retry.'],
    ['渠道复制失败：{{reason}}', 'The channel could not be copied: {{reason}}'],
    // Tokens, chats, wallet.
    ['过期时间格式错误！', 'The expiry time is not valid!'],
    ['管理员未设置用户可选分组', 'The administrator has not set selectable groups'],
    ['聊天链接配置错误，请联系管理员', 'The chat links are misconfigured, please contact the administrator'],
    ['请联系管理员配置聊天链接', 'Please ask the administrator to configure chat links'],
    ['无法复制到剪贴板，请手动复制', 'Unable to copy to clipboard, please copy manually'],
    ['请输入兑换码！', 'Please enter a redemption code!'],
    ['充值数量不能小于 {{limit}}', 'The amount cannot be less than {{limit}}'],
    ['超级管理员未设置充值链接！', 'The super administrator has not set a top-up link!'],
    ['管理员未开启在线充值！', 'The administrator has not enabled online top-up!'],
    ['请求失败（HTTP {{status}}）', 'The request failed (HTTP {{status}})'],
    // Ways in.
    ['未登录或登录已过期，请重新登录', 'Not logged in or login has expired, please log in again'],
    ['登录成功', 'Login succeeded'],
    ['注册成功，请登录。', 'Registered. You can log in now.'],
    ['请输入用户名和密码', 'Please enter username and password'],
    ['两次输入的密码不一致', 'The two passwords are inconsistent'],
    ['请稍后几秒重试，正在检查用户环境！', 'Please retry in a few seconds, checking the environment'],
    ['验证码发送成功，请检查你的邮箱！', 'Code sent. Check your mailbox.'],
    ['请输入邮箱验证码！', 'Please enter the email verification code'],
    ['处理中…', 'Processing…'],
    ['绑定成功！', 'Binding succeeded'],
    ['操作失败，重定向至登录界面中…', 'Operation failed, redirecting to the login page…'],
    // Accounts.
    ['用户名和密码不能为空！', 'Username and password cannot be empty'],
    ['用户账户创建成功', 'User created'],
    ['用户信息更新成功', 'User updated'],
    ['操作成功完成', 'Operation completed'],
    ['令牌已重置并已复制到剪贴板', 'Token reset and copied to the clipboard'],
    ['邀请链接已复制到剪切板', 'Invite link copied to the clipboard'],
    ['账户已删除！', 'Account deleted'],
    ['密码修改成功！', 'Password changed'],
    // Set-up and shell.
    ['请输入管理员用户名', 'Please enter the admin username'],
    ['密码长度至少为 8 个字符', 'Password must be at least 8 characters long'],
    ['两次输入的密码不一致', 'The passwords entered do not match'],
    ['获取初始化状态失败', 'Failed to get initialization status'],
    ['无法正常连接至服务器', 'Unable to connect to server'],
    ['获取状态失败', 'Failed to load status'],
    ['页面不存在', 'This page does not exist'],
  ])('has “%s” and “%s”', (chinese, english) => {
    expect(pairs).toContain(`${chinese} = ${english}`);
  });
});
