// The journeys run against the built site, in a Chromium of this machine.
import { ensureBuilt } from '#tools/build.ts'
import { ensureChromium } from '#test/chromium.ts'
import { startTestCluster } from '#test/cluster.ts'

export default function setup() {
  ensureChromium()
  ensureBuilt()
  return startTestCluster()
}
