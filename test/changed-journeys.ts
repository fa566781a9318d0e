// Which journeys open a screen that has changed: `npm test -- --changed` runs those. `journeys.json` has the routes that
// each journey opened when it was run last; a whole run writes it.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { z } from 'zod'
import { readImports } from '#tools/read-imports.ts'
import { root } from '../tools/run.ts'
import routes from '../src/web/app/routes.ts'
import type { Journey } from './reports.ts'

const recordPath = join(root, 'e2e/journeys.json')

const recorded = z.object({ file: z.string(), title: z.string(), routes: z.array(z.string()) })
type RecordedJourney = z.infer<typeof recorded>
/** By the project of Playwright's configuration: each has runs of its own. */
const record = z.record(z.string(), z.array(recorded))

function readRecord(): z.infer<typeof record> {
  return existsSync(recordPath) ? record.parse(JSON.parse(readFileSync(recordPath, 'utf8'))) : {}
}

/** All journeys of the projects that were run. */
export function recordJourneys(journeys: readonly Journey[]): void {
  const ran = Map.groupBy(journeys, ({ project }) => project)
  const latest = readRecord()
  for (const [project, all] of ran)
    latest[project] = all.map(({ file, title, paths }) => ({
      file,
      title,
      routes: [...new Set(paths.map(routeOf))].toSorted(),
    }))
  const projects = Object.entries(latest).map(
    ([project, all]) => `"${project}": [\n${all.map((each) => JSON.stringify(each)).join(',\n')}\n]`,
  )
  writeFileSync(recordPath, `{\n${projects.join(',\n')}\n}\n`)
}

type Route = { pattern: string; files: string[] }

const [app, site] = ['src/web/app', 'src/web/site']

const appRoutes = flatten(routes, { pattern: '', files: [`${app}/root.tsx`] })

function flatten(entries: readonly RouteConfigEntry[], around: Route): Route[] {
  return entries.flatMap(({ path, file, children }) => {
    const pattern = path === undefined ? around.pattern : `${around.pattern}/${path}`
    const route = { pattern, files: [...around.files, `${app}/${file}`] }
    if (children) return flatten(children, route)
    // There the site answers.
    return file === 'document-redirect.tsx' ? [] : [route]
  })
}

/** Of the app its pattern; of the site the first part of the address, whose folder has the page. */
export function routeOf(path: string): string {
  const route = appRoutes.find(({ pattern }) =>
    new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`).test(path),
  )
  return route?.pattern ?? `/${path.split('/')[1] ?? ''}`
}

/** Addresses whose folder has another name. */
const folderNames: Record<string, string> = {
  '': 'home',
  contact: 'home',
  purchases: 'purchase',
  emails: 'mail-choices',
}

/** What a screen begins with. */
function filesOf(route: string): string[] {
  const ofApp = appRoutes.find(({ pattern }) => pattern === route)
  if (ofApp) return ofApp.files
  const name = route.slice(1)
  const folder = `${site}/${folderNames[name] ?? name}`
  const folders = existsSync(join(root, folder)) ? [folder] : [`${site}/legal`, `${site}/not-found`]
  return [`${site}/document.tsx`, ...folders.flatMap((each) => globSync(`${each}/*.{ts,tsx}`, { cwd: root }))]
}

/** Added files, and those that were changed since the branch left the commit `since`. */
export function readChangedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...git('diff', '--name-only', '--merge-base', since), ...added].filter((path) => path !== '')
}

/** With all that they import of the web and its words: what else they import has tests of its own. */
function withImports(files: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(files)
  for (const file of found) for (const each of imports.get(file) ?? []) found.add(each)
  return found
}

let webImports: Map<string, string[]> | undefined

function readWebImports(): Map<string, string[]> {
  if (webImports) return webImports
  webImports = new Map()
  for (const { from, to } of readImports('src/web')) {
    if (/^src\/(web|words)\//.test(to)) webImports.set(from, [...(webImports.get(from) ?? []), to])
  }
  return webImports
}

/** More would take minutes. */
const mostJourneys = 6

export type Chosen = Record<'chosen' | 'left' | 'untouched', RecordedJourney[]>

/** Those that open the fewest other screens come first: they are about the changed one. */
export function chooseJourneys(
  changed: readonly string[],
  all: readonly RecordedJourney[] = Object.values(readRecord()).flat(),
): Chosen {
  const imports = readWebImports()
  const opened = new Set(all.flatMap((journey) => journey.routes))
  const hasChanged = (route: string) => {
    const files = withImports(filesOf(route), imports)
    return changed.some((file) => files.has(file))
  }
  const changedRoutes = new Set([...opened].filter(hasChanged))
  const isOwn = ({ file }: RecordedJourney) => changed.includes(file)
  const own = all.filter(isOwn)
  const others = all.filter((journey) => !isOwn(journey))
  const touched = others
    .filter((journey) => journey.routes.some((route) => changedRoutes.has(route)))
    .toSorted((a, b) => a.routes.length - b.routes.length)
  return {
    chosen: [...own, ...touched.slice(0, mostJourneys)],
    left: touched.slice(mostJourneys),
    untouched: others.filter((journey) => !touched.includes(journey)),
  }
}
