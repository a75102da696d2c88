import { escapeHtml } from '../../base/notifications/mail/mail-page.js';
import type { Language } from '../../common/language.js';

/** States of the page behind a stop link. */
export type StopState = 'ask' | 'stopped' | 'bad-link';

const TEXTS = {
  en: {
    title: 'Weekly email',
    ask: [
      'Stop the weekly summary?',
      'No further weekly email will be sent to this account. You can turn it on again in the personal settings.',
    ],
    stopped: [
      'The weekly summary is turned off',
      'No further weekly email will be sent. You can turn it on again in the personal settings.',
    ],
    'bad-link': [
      'This link is not valid',
      'Use the link in the newest email, or turn off the weekly email in the personal settings.',
    ],
    action: 'Stop the email',
    settings: 'Personal settings',
  },
  zh: {
    title: '每周邮件',
    ask: ['停止接收每周摘要？', '系统将不再向此账户发送每周邮件。您可以随时在个人设置中重新开启。'],
    stopped: ['每周摘要已关闭', '系统将不再发送每周邮件。您可以随时在个人设置中重新开启。'],
    'bad-link': ['链接无效', '请使用最新邮件中的链接，或在个人设置中关闭每周邮件。'],
    action: '停止接收',
    settings: '个人设置',
  },
} as const;

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:16px/1.6 -apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',Arial,sans-serif;background:#f4f5f7;color:#1f2328}
main{max-width:30rem;margin:15vh auto 0;padding:2rem;background:#fff;border:1px solid #d5d9de;border-radius:8px}
h1{margin:.25rem 0 1rem;font-size:1.375rem;line-height:1.3}
p{margin:0 0 1.25rem}.name{margin:0;color:#57606a;font-weight:600}
button{min-height:2.75rem;padding:.5rem 1.25rem;border:0;border-radius:6px;background:#0b57d0;color:#fff;font:inherit;font-weight:600;cursor:pointer}
a{color:#0b57d0}button:focus-visible,a:focus-visible{outline:3px solid #e07b00;outline-offset:2px}
@media (max-width:34rem){main{margin:1rem}}
@media (prefers-color-scheme:dark){body{background:#15181c;color:#e6e9ee}main{background:#1e2227;border-color:#3a4048}.name{color:#a6adb6}a{color:#8ab4ff}button{background:#8ab4ff;color:#0b1a33}}`;

/**
 * The page behind a stop link: complete without scripts, since it opens without a sign-in.
 * @param settingsUrl  of the personal settings; null while the server has no address
 */
export function stopPage(
  state: StopState,
  {
    language,
    systemName,
    settingsUrl,
  }: { language: Language; systemName: string; settingsUrl: string | null },
): string {
  const texts = TEXTS[language];
  const [heading, text] = texts[state];
  const name = escapeHtml(systemName);
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${texts.action}</button></form>`;
  const link =
    settingsUrl === null ? '' : `<p><a href="${escapeHtml(settingsUrl)}">${texts.settings}</a></p>`;
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title} – ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="name">${name}</p>
<h1>${heading}</h1>
<p>${text}</p>
${state === 'ask' ? form : link}
</main>
</body>
</html>
`;
}
