/**
 * Every act the audit log knows, `thing.verb`. The console has a name for each in both languages
 * (`audit.action` of its texts); a test holds them to this list.
 */
export const AUDIT_ACTIONS = [
  'alert.acknowledge',
  'alert.test',
  'audit.prune',
  'channel.auto-off',
  'channel.auto-on',
  'channel.copy',
  'channel.create',
  'channel.delete',
  'channel.keys',
  'channel.repair',
  'channel.tag',
  'channel.tag-edit',
  'channel.tag-status',
  'channel.update',
  'history.accept',
  'identity.bind',
  'identity.free',
  'identity.release_all',
  'identity.unbind',
  'job.run',
  'log.delete',
  'login.code_wrong',
  'login.end',
  'login.fail',
  'login.success',
  'mail.test',
  'option.change',
  'order.complete',
  'order.refund',
  'passkey.add',
  'passkey.counter_fell',
  'passkey.remove',
  'passkey.reset',
  'redemption.create',
  'redemption.delete',
  'redemption.delete_invalid',
  'redemption.disable',
  'redemption.edit',
  'redemption.enable',
  'session.end',
  'setup.complete',
  'two_factor.disable',
  'two_factor.enable',
  'two_factor.renew_recovery',
  'two_factor.reset',
  'user.access_token',
  'user.add_quota',
  'user.create',
  'user.delete',
  'user.demote',
  'user.disable',
  'user.edit',
  'user.enable',
  'user.leave',
  'user.mail',
  'user.password',
  'user.password_reset',
  'user.promote',
  'user.purge',
  'user.rename',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The verbs of one kind of thing: `AuditVerb<'user'>`. */
export type AuditVerb<Thing extends string> = AuditAction extends infer Action
  ? Action extends `${Thing}.${infer Verb}`
    ? Verb
    : never
  : never;
