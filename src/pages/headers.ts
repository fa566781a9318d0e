// Inline scripts and styles are allowed by their hashes.
import { createHash } from 'node:crypto'

const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>(.*?)<\/script>/gs
const inlineStyle = /<style[^>]*>(.*?)<\/style>/gs

export function pageHeaders(html: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentPolicy(html),
    'x-content-type-options': 'nosniff',
    // Links from mails hold tokens: no other site may learn the address a visitor comes from.
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

function contentPolicy(html: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes(html, inlineScript)}`,
    `style-src 'self' ${hashes(html, inlineStyle)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashes(html: string, inline: RegExp): string {
  return Array.from(html.matchAll(inline), ([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }).join(' ')
}
