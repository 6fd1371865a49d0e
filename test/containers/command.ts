import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program to its end and returns its standard output; a failure carries the last lines it wrote. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, args, {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return stdout;
  } catch (cause) {
    const output = cause as { stdout?: string; stderr?: string; message: string };
    const last = `${output.stdout ?? ''}\n${output.stderr ?? output.message}`.trim().split('\n').slice(-25).join('\n');
    throw new Error(`${program} ${args.join(' ')} failed:\n${last}`, { cause });
  }
}

export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return await run(program, args).then(
    () => true,
    () => false,
  );
}

/** Says on standard error what a slow step does and how long it took. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  process.stderr.write(`[containers] ${what} …\n`);
  const result = await work();
  process.stderr.write(`[containers] ${what}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  return result;
}

/** Packages of Debian, installed when this process may. The lists are refreshed first: a bare machine has none. */
export async function installPackages(...packages: string[]): Promise<void> {
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  await step(`apt-get install ${packages.join(' ')}`, async () => {
    await run('apt-get', [...options, 'update', '-qq']);
    await run('apt-get', [...options, 'install', '-y', '-qq', '--no-install-recommends', ...packages]);
  });
}

/** True where {@link installPackages} can work: root on a Debian machine. */
export async function canInstallPackages(): Promise<boolean> {
  return process.getuid?.() === 0 && (await succeeds('apt-get', ['--version']));
}
