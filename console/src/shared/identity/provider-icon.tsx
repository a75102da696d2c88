import ForumRounded from '@mui/icons-material/ForumRounded';
import GitHub from '@mui/icons-material/GitHub';
import KeyRounded from '@mui/icons-material/KeyRounded';
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded';
import Telegram from '@mui/icons-material/Telegram';
import type { Provider } from './providers';

const ICONS = {
  github: GitHub,
  oidc: KeyRounded,
  linuxdo: ForumRounded,
  wechat: QrCode2Rounded,
  telegram: Telegram,
} as const;

export function ProviderIcon({ provider }: { provider: Provider }) {
  const Icon = ICONS[provider];
  return <Icon fontSize="small" aria-hidden />;
}
