// What the unit and API tests share.
import { startTestCluster } from './cluster.ts'
import { prepareSwift } from './swift.ts'

export default function setup() {
  prepareSwift()
  return startTestCluster()
}
