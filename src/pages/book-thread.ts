import { serveTasks } from '#platform/bounded-worker.ts'
import { performTask } from './book-work.ts'

serveTasks(performTask)
