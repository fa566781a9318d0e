// Translates a page as a browser does: each text moves into elements of its own.
import type { Page } from '@playwright/test'

/**
 * As Chrome, Edge and Safari translate a page, from its hydration on, also what appears later: each text node goes, and a
 * new one takes its place inside two <font> elements.
 */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const left = 'font, script, style, noscript, textarea, title, option'
    const wrap = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = root instanceof Text ? [root] : []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) {
        if (!text.data.trim() || !text.isConnected || text.parentElement?.closest(left)) continue
        const inner = document.createElement('font')
        inner.append(text.data)
        const outer = document.createElement('font')
        outer.append(inner)
        text.replaceWith(outer)
      }
    }
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) wrap(node)
    })
    addEventListener('DOMContentLoaded', () => {
      const start = () => {
        const isAlive = document.querySelector('html[data-alive], html:has([data-island])') !== null
        if (!isAlive) setTimeout(start, 20)
        // What is below the fold is hydrated after that.
        else requestIdleCallback(translateNow)
      }
      const translateNow = () => {
        wrap(document.body)
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }
      start()
    })
  })
}
