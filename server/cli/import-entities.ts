/** Tables that an import writes: the program knows no other. */
import '../base/audit/audit-chain.entity.js';
import '../base/audit/audit-event.entity.js';
import '../base/auth/two-factor/two-factor.entity.js';
import '../base/limits/limit-use.entity.js';
import '../base/limits/limit.entity.js';
import '../base/users/user.entity.js';
import '../console/import/import.entity.js';
import '../console/import/imported-row.entity.js';
import '../console/redemptions/redemption.entity.js';
import '../console/wallet/orders/top-up.entity.js';
import '../gateway/channels/state/ability.entity.js';
import '../gateway/channels/state/channel.entity.js';
import '../console/passkeys/passkey.entity.js';
import '../gateway/tasks/drawing.entity.js';
import '../gateway/tasks/task.entity.js';
import '../gateway/tokens/token.entity.js';
