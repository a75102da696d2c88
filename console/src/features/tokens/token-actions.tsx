import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { fillChatLink, isWebLink, useChatLinks } from '../../shared/chat/chat-links';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { MenuButton } from '../../shared/page/menu-button';
import { useServerAddress } from '../../shared/session/status';
import { clientKey, hasReadableKey, useDeleteToken, useSwitchToken, type Token } from './api';
import { TOKEN_STATUS } from './token.labels';

interface TokenActionsProps {
  token: Token;
  onUse: (token: Token) => void;
  onEdit: (token: Token) => void;
}

export function TokenActions({ token, onUse, onEdit }: TokenActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const switchToken = useSwitchToken();
  const remove = useDeleteToken();
  const { name } = token;
  const enabled = token.status === TOKEN_STATUS.enabled;
  const canCall = enabled && hasReadableKey(token);
  const chats = useChatLinks();
  const address = useServerAddress();

  const toggle = () =>
    switchToken.mutate(
      { id: token.id, status: enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled },
      {
        onSuccess: () =>
          toast('success', t(enabled ? 'tokens.done.disabled' : 'tokens.done.enabled', { name })),
      },
    );
  const askAndDelete = async () => {
    const yes = await confirm({
      title: t('tokens.confirm.delete', { name }),
      consequence: t('tokens.confirm.deleteText'),
      action: t('common.delete'),
      danger: true,
    });
    if (yes)
      remove.mutate(token.id, { onSuccess: () => toast('success', t('tokens.done.deleted', { name })) });
  };

  const chatItems = (close: () => void) => {
    // What is missing is said to who looks for it.
    const fault = chats === 'broken' ? 'chat.broken' : chats.length === 0 ? 'chat.none' : undefined;
    if (chats === 'broken' || fault !== undefined)
      return [
        <MenuItem key="chat" onClick={() => (close(), toast('warning', t(fault ?? 'chat.broken')))}>
          {t('tokens.action.chat')}
        </MenuItem>,
      ];
    return chats.map((link) => (
      <MenuItem
        key={`chat-${link.name}`}
        component="a"
        href={fillChatLink(link, { address, key: clientKey(token) })}
        target={isWebLink(link) ? '_blank' : undefined}
        rel="noopener noreferrer"
        onClick={close}
      >
        {t('tokens.action.chatIn', { name: link.name })}
      </MenuItem>
    ));
  };

  return (
    <>
      {canCall && (
        <Button size="small" onClick={() => onUse(token)} sx={{ mr: 0.5 }}>
          {t('tokens.action.use')}
        </Button>
      )}
      <MenuButton label={t('tokens.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
        {(close) => [
          <MenuItem key="edit" onClick={() => (close(), onEdit(token))}>
            {t('tokens.action.edit')}
          </MenuItem>,
          <MenuItem key="switch" onClick={() => (close(), toggle())}>
            {enabled ? t('tokens.action.disable') : t('tokens.action.enable')}
          </MenuItem>,
          <MenuItem
            key="logs"
            onClick={() => (close(), void navigate(`/log?token_name=${encodeURIComponent(name)}`))}
          >
            {t('tokens.action.logs')}
          </MenuItem>,
          ...(canCall ? chatItems(close) : []),
          <MenuItem key="delete" onClick={() => (close(), void askAndDelete())}>
            {t('tokens.action.delete')}
          </MenuItem>,
        ]}
      </MenuButton>
    </>
  );
}
