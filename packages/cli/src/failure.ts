/** What ends a command with an exit code of its own. */

/** A failure the command itself found; failures of retrievals get their exit code from the table in exit-codes.ts. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/** The reader of stdout is gone (`| head`): the command ends quietly. */
export class BrokenPipe extends Failure {
  constructor(cause: unknown) {
    super(23, 'the reader of the output went away', cause);
  }
}

/** The command line cannot be understood: exit code 2, and a hint where help is. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(2, message);
  }
}

/** What to tell of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}
