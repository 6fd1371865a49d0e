import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './command.ts';

/** Where Debian puts the browser that test/package/browser.test.ts drives. */
const path = '/usr/bin/chromium';

/** Makes sure that a browser is there; where we may not install one, the browser test says so itself. */
export async function ensureBrowser(): Promise<void> {
  if (existsSync(path)) return;
  if (await canInstallPackages()) await installPackages('chromium');
  else process.stderr.write(`[containers] no ${path}, and no right to install it: the browser test will fail\n`);
}
