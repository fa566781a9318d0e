// The environment of every process that tests, tortures or measures the shop: the variables named here, and no others.
// On a machine that runs a shop, the rest of it leads to that shop's database, payments and mail server. An `.env` file
// is not read either: `lectern` names it only where ENV_FILE is not set.

const machine =
  'PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP LANG LC_ALL LC_CTYPE TERM COLORTERM COLUMNS NO_COLOR FORCE_COLOR CI DEBUG XDG_CACHE_HOME XDG_CONFIG_HOME LD_LIBRARY_PATH'
const nodeNpmAndApt =
  'NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE SSL_CERT_FILE SSL_CERT_DIR DEBIAN_FRONTEND HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy'
const ownOptions = 'CHROMIUM_PATH CHROME_PATH FUZZ_SEED FUZZ_RUNS FILES_SEED JOURNEYS_REPORT'
const named = new Set([machine, nodeNpmAndApt, ownOptions].flatMap((names) => names.split(' ')))

/** What npm, Vitest and Playwright tell the processes that they start: for these only, not for the shops of the tests. */
const ofRunners =
  /^(npm_config_|VITEST|PLAYWRIGHT_|PWTEST_|PW_|TEST$|TEST_(WORKER_INDEX|PARALLEL_INDEX|CLUSTER_URL)$)/

/** For a process that is started: what may be inherited, and `settings`. */
export function cleanEnvironment(settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => named.has(name))
  return { ...Object.fromEntries(inherited), ENV_FILE: '', ...settings }
}

/** For this process, and so for whatever it starts without saying more. */
export function clearEnvironment(): void {
  for (const name of Object.keys(process.env)) {
    if (!named.has(name) && !ofRunners.test(name)) delete process.env[name]
  }
  process.env['ENV_FILE'] = ''
}
