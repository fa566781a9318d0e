import { serveTasks } from '#platform/serve-tasks.ts'
import { performTask } from './book-work.ts'

serveTasks(performTask)
