// The environment of every process that tests, tortures or measures the shop: the variables named here, and no others.
// On a machine that runs a shop, the rest of it leads to that shop's database, payments and mail server. An `.env` file
// is not read either: only the npm commands that run a shop name it (ENV_FILE in package.json).

const named = new Set([
  // The machine and the terminal.
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'LC_ALL', 'LC_CTYPE'],
  ...['TERM', 'COLORTERM', 'COLUMNS', 'NO_COLOR', 'FORCE_COLOR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  ...['CI', 'DEBUG', 'LD_LIBRARY_PATH'],
  // What Node, npm and apt need to run and to fetch something.
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'NODE_V8_COVERAGE'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'DEBIAN_FRONTEND'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  // What these commands themselves listen to.
  ...['CHROMIUM_PATH', 'CHROME_PATH', 'FUZZ_SEED', 'FUZZ_RUNS', 'JOURNEYS_REPORT', 'TEST'],
])

/** What npm, Vitest and Playwright tell the processes that they start. */
const ofRunners = /^(npm_config_|VITEST|PLAYWRIGHT_|PWTEST_|PW_|TEST_(WORKER|PARALLEL)_INDEX$)/

/** For a process that is started: what may be inherited, and `settings`. */
export function cleanEnvironment(settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => named.has(name) || ofRunners.test(name))
  return { ...Object.fromEntries(inherited), ENV_FILE: '', ...settings }
}

/** For this process, and so for whatever it starts without saying more. */
export function forgetEnvironment(): void {
  const clean = cleanEnvironment()
  for (const name of Object.keys(process.env)) {
    if (!(name in clean)) delete process.env[name]
  }
  process.env['ENV_FILE'] = ''
}
