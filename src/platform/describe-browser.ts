// Describes a browser by its `User-Agent` header.
import { parse } from 'bowser'

/** The names of browser and system in a `User-Agent` header. */
export function describeBrowser(user_agent: string | null): {
  browser: string | null
  system: string | null
} {
  if (!user_agent) return { browser: null, system: null }
  const { browser, os } = parse(user_agent)
  return { browser: browser.name || null, system: os.name || null }
}
