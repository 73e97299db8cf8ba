/* Threads that share tasks. What a task does must not depend on the thread or the order, so that any number of them gives the same. */

#include <pthread.h>

enum { MAX_WORKERS = 64 };

typedef void Task(void *argument, int number);

static struct {
    pthread_mutex_t lock;
    pthread_cond_t begun, finished;
    Task *task;
    void *argument;
    int workers, count, next, left;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER, .finished = PTHREAD_COND_INITIALIZER};

/* Do tasks until none is left to begin. The lock is held before and after. */
static void do_tasks(void)
{
    while (pool.next < pool.count) {
        const int number = pool.next++;
        pthread_mutex_unlock(&pool.lock);
        pool.task(pool.argument, number);
        pthread_mutex_lock(&pool.lock);
        if (--pool.left == 0)
            pthread_cond_broadcast(&pool.finished);
    }
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.next >= pool.count)
            pthread_cond_wait(&pool.begun, &pool.lock);
        do_tasks();
    }
    return NULL;
}

static void start_workers(int workers)
{
    pool.workers = workers;
    for (int i = 1; i < workers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL) != 0)
            fail("cannot start %d workers; use a smaller --workers", workers);
    }
}

/* Do tasks 0 to count - 1, and return when all are done. */
static void run_tasks(int count, Task *task, void *argument)
{
    pthread_mutex_lock(&pool.lock);
    pool.task = task;
    pool.argument = argument;
    pool.count = pool.left = count;
    pool.next = 0;
    if (pool.workers > 1)
        pthread_cond_broadcast(&pool.begun);
    do_tasks();
    while (pool.left)
        pthread_cond_wait(&pool.finished, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}
