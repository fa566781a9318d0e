// Inline scripts and styles are allowed by their hashes; of the scripts those that a page has without any data.
import { createHash } from 'node:crypto'

const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>(.*?)<\/script>/gs
const inlineStyle = /<style[^>]*>(.*?)<\/style>/gs

export function pageHeaders(html: string, scripts: ReadonlySet<string>): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentPolicy(html, scripts),
    'x-content-type-options': 'nosniff',
    // Links from mails hold tokens: no other site may learn the address a visitor comes from.
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

function contentPolicy(html: string, scripts: ReadonlySet<string>): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${[...scripts].join(' ')}`,
    `style-src 'self' ${[...hashes(html, inlineStyle)].join(' ')}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const scriptHashes = (html: string): Set<string> => hashes(html, inlineScript)

function hashes(html: string, inline: RegExp): Set<string> {
  const texts = Array.from(html.matchAll(inline), ([, text = '']) => text)
  return new Set(texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`))
}

/** React Router's script with the loaders' data. */
const dataScript = /<script>window\.__reactRouterContext\.streamController\.enqueue\((".*?")\);<\/script>/gs

/** The data become JSON beside a script that is the same on every page. */
export function moveDataOut(html: string): string {
  const read = 'JSON.parse(document.currentScript.previousElementSibling.textContent)'
  return html.replaceAll(
    dataScript,
    (_, json: string) =>
      `<script type="application/json">${json}</script><script>window.__reactRouterContext.streamController.enqueue(${read})</script>`,
  )
}
