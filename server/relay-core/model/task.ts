/** An upstream that takes work on and finishes it later. */
export type TaskPlatform = 'midjourney' | 'suno';

/** The earlier task a submission goes on from: a drawing that is varied, a song that is continued. */
export interface TaskOrigin {
  readonly platform: TaskPlatform;
  /** Vendor's name of it, as the caller received it. */
  readonly taskId: string;
  /** Only a finished one can be gone on from, unless the operator allows others (`MjActionCheckSuccessEnabled`). */
  readonly needsSuccess: boolean;
}

/** Work requested of an upstream that finishes it later, in the API format of its platform: it is never translated. */
export interface SubmitRequest {
  readonly body: Readonly<Record<string, unknown>>;
}

/** The upstream's word that it took the work on. */
export interface SubmitReply {
  readonly document: Readonly<Record<string, unknown>>;
}

/** Submission, as far as it is read. */
export interface Submission {
  /** Path at the upstream, below its base address. */
  readonly path: string;
  /** In capitals, as the platform names it: `IMAGINE`, `MUSIC`. */
  readonly action: string;
  /** Words it is drawn or sung by; empty = none. */
  readonly prompt: string;
  /** The caller's own note on it; empty = none. */
  readonly state: string;
  /** The earlier task it goes on from; absent = it begins anew. */
  readonly origin?: TaskOrigin;
}

/** A task an upstream took on. It becomes a record beside the charge, in one transaction with it. */
export interface AcceptedTask {
  readonly platform: TaskPlatform;
  /** The vendor's name of it. */
  readonly id: string;
  readonly action: string;
  /** The vendor's code of the submission; 0 = it has none. */
  readonly code: number;
  readonly description: string;
  readonly prompt: string;
  readonly state: string;
  /** It was finished already: nothing is waited for. */
  readonly isFinished: boolean;
  /** Address of the finished image; empty = none yet. */
  readonly imageUrl: string;
  /** JSON text of the vendor's properties; empty = none. */
  readonly properties: string;
}
