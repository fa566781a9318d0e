// The import rules of docs/architecture.md, types and `import()` included, and that no files import each other in a cycle.
import { layerOf, layers } from './layers.ts'
import { readImports, type Import } from './read-imports.ts'

type Rule = {
  says: string
  from: RegExp
  to: RegExp
  /** What is allowed of `to`. */
  except?: RegExp
  /** Types are allowed, too. */
  allowsTypes?: boolean
}

const isTest = /\.test\.tsx?$/

/** For `src`, `packages` and `content`, tests excepted. `to` is a path from the project's root, or a package's name. */
const rules: Rule[] = [
  {
    says: 'Contracts import contracts, texts and zod only.',
    from: /^src\/contract\//,
    to: /^/,
    except: /^src\/(contract|words)\/|^(zod|punycode)(\/|$)/,
  },
  {
    says: 'The platform imports no content, and of the texts those of fields and refusals only.',
    from: /^src\/platform\//,
    to: /^(src\/words|content)\//,
    except: /^src\/words\/(texts|fields|refusals)\.ts$/,
  },
  { says: 'Texts import nothing.', from: /^src\/words\//, to: /^/, except: /^src\/words\/|^node:/ },
  {
    says: 'Content imports contracts only, and the shape of a chapter.',
    from: /^content\//,
    to: /^(src|packages)\//,
    except: /^src\/contract\/|^packages\/sample-edition$/,
  },
  {
    says: 'The browser takes contracts and types from the server.',
    from: /^src\/web\//,
    to: /^src\//,
    except: /^src\/(web|words|contract)\//,
    allowsTypes: true,
  },
  { says: 'The server never imports the web.', from: /^src\/(?!web\/)/, to: /^src\/web\// },
  {
    says: 'The site and the app do not import each other, nor does what they share import one of them.',
    from: /^src\/web\/(?!app\/)/,
    to: /^src\/web\/app\//,
    allowsTypes: true,
  },
  {
    says: 'The site and the app do not import each other, nor does what they share import one of them.',
    from: /^src\/web\/(?!site\/)/,
    to: /^src\/web\/site\//,
    allowsTypes: true,
  },
  {
    says: 'Components know nothing of books.',
    from: /^src\/web\/components\//,
    to: /^(src|content)\//,
    except: /^src\/(web\/(components\/|notices\/toasts\.tsx$)|words\/)/,
  },
  {
    says: 'Rules know nothing of HTTP. Mails may use the template of Hono, which touches no request.',
    from: /^src\/domains\/(?!accounts\/)(?!.*routes\.ts$)/,
    to: /^(hono|@hono)(\/|$)/,
    except: /^hono\/html$/,
  },
  {
    says: 'Routes know nothing of SQL.',
    from: /routes\.ts$/,
    to: /^drizzle-orm|^src\/tables\//,
    allowsTypes: true,
  },
  {
    says: 'Outside systems are used in the platform only.',
    from: /^src\/(?!platform\/)/,
    to: /^(stripe|nodemailer|pg-boss|@aws-sdk|@tus)(\/|$)/,
  },
  {
    says: 'Credentials are handled in accounts only.',
    from: /^src\/(?!domains\/accounts\/)/,
    to: /^(jose|@node-rs\/argon2|otpauth|@simplewebauthn)(\/|$)/,
    allowsTypes: true,
  },
  { says: 'Packages stand alone.', from: /^packages\//, to: /^(src|content)\// },
  {
    says: 'The shop imports no tests and no tools.',
    from: /^/,
    to: /^(test|e2e|bench|tools)\/|\.test\.tsx?$/,
  },
]

const screenOf = (path: string) => /^src\/web\/app\/([^/]+)\//.exec(path)?.[1]
const packageOf = (path: string) => /^packages\/([^/]+)/.exec(path)?.[1]

function brokenRules({ from, to, isType }: Import): string[] {
  const broken = rules
    .filter((rule) => rule.from.test(from) && rule.to.test(to) && !rule.except?.test(to))
    .filter(({ allowsTypes }) => !(allowsTypes && isType))
    .map(({ says }) => says)
  if (isAgainstOrder(from, to)) broken.push(`The order is ${layers.join(', ')}.`)
  if (differ(screenOf(from), screenOf(to))) broken.push('Screens do not import each other.')
  if (differ(packageOf(from), packageOf(to))) broken.push('Packages stand alone.')
  return broken
}

/** Each layer imports those before it in the order, and nothing of the source that is above all layers. */
function isAgainstOrder(from: string, to: string): boolean {
  const layer = layerOf(from)
  if (!layer || !to.startsWith('src/')) return false
  const other = layerOf(to)
  return !other || layers.indexOf(other) > layers.indexOf(layer)
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}

const imports = ['src', 'packages', 'content'].flatMap(readImports).filter(({ from }) => !isTest.test(from))
const complaints = imports.flatMap((each) =>
  brokenRules(each).map((says) => `${each.from} imports ${each.to}: ${says}`),
)

/** Tarjan's algorithm (doi.org/10.1137/0201010). The result has the groups of files that lead to each other. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  function visit(file: string): number {
    let low = order.size
    order.set(file, low)
    stack.push(file)
    for (const next of edges.get(file) ?? []) {
      const seen = order.get(next)
      if (seen === undefined) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, seen)
    }
    if (low !== order.get(file)) return low
    const cycle = stack.splice(stack.indexOf(file))
    if (cycle.length > 1) cycles.push(cycle)
    return low
  }
  for (const file of edges.keys()) if (!order.has(file)) visit(file)
  return cycles
}

const edges = Map.groupBy(imports, ({ from }) => from)
const cycles = findCycles(new Map([...edges].map(([from, all]) => [from, all.map(({ to }) => to)])))
for (const cycle of cycles) complaints.push(`These files import each other: ${cycle.toSorted().join(', ')}`)
for (const complaint of complaints) console.error(complaint)
console.log(`${imports.length} imports, ${complaints.length} against the rules`)
process.exit(complaints.length === 0 ? 0 : 1)
