// The journeys run against the built site, in a Chromium of this machine.
import { ensureBuilt } from '#tools/build.ts'
import { ensureChromium } from '#test/chromium.ts'

export default function setup() {
  ensureChromium()
  ensureBuilt()
}
