/* The plans of a card: one for all nets that share a graph. */
#include "tensor/cuda/graph/plan.cuh"
#include "tensor/cuda/queue.cuh"

gpr_status gpri_cuda_plan_graph(const gpri_device *device, gpr_ctx *ctx, gpri_graph *view, const gpri_graph *graph) {
    gpri_cuda_card *card = gpri_cuda_card_of(device);
    gpri_cuda_queue *queue = gpri_cuda_queue_of(card);
    gpr_status status = GPR_OK;
    view->plan = NULL;
    if (!queue) return GPR_ERROR_MEMORY;
    pthread_mutex_lock(&card->lock); /* held while it is made: who comes second finds it whole */
    gpri_graph_plan *plan = card->plans;
    while (plan && plan->host != graph->rowptr) plan = plan->next;
    if (!plan) {
        /* should the host's memory be full; a card that is full has its own message */
        (void)gpri_cuda_program->fail(GPR_ERROR_MEMORY, "plan of the rows: out of memory");
        status = gpri_graph_plan_new(device, ctx, &plan, graph, view);
        if (status == GPR_OK && queue->failed != GPR_OK) { /* the copy */
            gpri_graph_plan_free(device, ctx, plan);
            status = gpri_cuda_report(queue);
        } else if (status == GPR_OK) {
            plan->host = graph->rowptr;
            plan->next = card->plans;
            card->plans = plan;
        }
    }
    if (status == GPR_OK) {
        plan->users++;
        view->plan = plan;
    }
    pthread_mutex_unlock(&card->lock);
    return status;
}

void gpri_cuda_unplan_graph(const gpri_device *device, gpr_ctx *ctx, const void *given) {
    gpri_cuda_card *card = gpri_cuda_card_of(device);
    (void)gpri_cuda_queue_of(card);
    pthread_mutex_lock(&card->lock);
    for (gpri_graph_plan **at = &card->plans, *plan; (plan = *at) != NULL; at = &plan->next) {
        if (plan != given) continue;
        if (--plan->users == 0) {
            *at = plan->next;
            gpri_graph_plan_free(device, ctx, plan);
        }
        break;
    }
    pthread_mutex_unlock(&card->lock);
}
