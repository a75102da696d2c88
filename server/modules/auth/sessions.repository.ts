import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Not, Repository } from 'typeorm';
import { SessionEntity } from './session.entity.js';

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(SessionEntity) private readonly rows: Repository<SessionEntity>) {}

  async insert(session: SessionEntity): Promise<void> {
    await this.sessions().insert(session);
  }

  async find(digest: string): Promise<SessionEntity | null> {
    return this.sessions().findOneBy({ digest });
  }

  async listOf(userId: number, authVersion: number): Promise<SessionEntity[]> {
    return this.sessions().find({
      where: { userId, authVersion },
      order: { lastSeenAtMs: 'DESC' },
      take: 100,
    });
  }

  async touch(digest: string, nowMs: number): Promise<void> {
    await this.sessions().update({ digest }, { lastSeenAtMs: nowMs });
  }

  async setVerified(digest: string, nowMs: number): Promise<void> {
    await this.sessions().update({ digest }, { verifiedAtMs: nowMs });
  }

  /** All sessions of a user but one. @returns how many ended */
  async deleteOthersOf(userId: number, keptDigest: string | null): Promise<number> {
    const others = keptDigest === null ? { userId } : { userId, digest: Not(keptDigest) };
    const result = await this.sessions().delete(others);
    return result.affected ?? 0;
  }

  /** @returns whether the user had such a session */
  async deleteOf(userId: number, digest: string): Promise<boolean> {
    const result = await this.sessions().delete({ userId, digest });
    return (result.affected ?? 0) > 0;
  }

  /** Sessions past their absolute end, and those nobody used for the longest idle time. @returns how many */
  async deleteExpired(nowMs: number, idleSinceMs: number): Promise<number> {
    const expired = await this.sessions().delete({ expiresAtMs: LessThan(nowMs) });
    const idle = await this.sessions().delete({ lastSeenAtMs: LessThan(idleSinceMs) });
    return (expired.affected ?? 0) + (idle.affected ?? 0);
  }

  private sessions() {
    return this.rows;
  }
}
