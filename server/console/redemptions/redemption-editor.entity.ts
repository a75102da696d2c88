import { Entity, PrimaryColumn } from 'typeorm';

/** An account, other than its maker, that changed a redemption code. */
@Entity('redemption_editors')
export class RedemptionEditorEntity {
  @PrimaryColumn({ name: 'code_id', type: 'integer' })
  codeId!: number;

  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;
}
