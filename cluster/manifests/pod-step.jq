# What a simulated pod does next: the name of one stage in pods.yaml, or "rest". That it is one expression keeps the
# stages apart: kwok would choose at random between two that match.
#
# Annotations of a pod, from the start or put on while it runs, each with the prefix sim.trunnion.dev/ :
#   fail: "3"                    its containers end with this exit code. Where the pod is restarted, they crash five times
#                                and then stay in CrashLoopBackOff; once the annotation goes, they start again
#   reason: OOMKilled            why they ended, with `fail`; "Error" otherwise
#   message: TEXT                what they, or the kubelet, said: with `fail` and `waiting`, and when they are done
#   waiting: ImagePullBackOff    its containers wait for this reason, for as long as the annotation is there
#   container: NAME              `fail` and `waiting` are about this container, which may be an init container;
#                                otherwise they are about all containers, and about no init container
#   ready: "false"               it runs, and is never ready
#   delay-seconds: "10"          how long a container works until it is done (an init container, a Job's) or ready
#   termination-seconds: "10"    how long it takes to stop, its grace period at the most
#   lost: "true"                 its node no longer answers: nothing becomes of it, not even when it is deleted
def sim($name): .metadata.annotations["sim.trunnion.dev/" + $name];
def rests($pod): .state.waiting.reason == "CrashLoopBackOff" and .restartCount >= 5 and ($pod | sim("fail")) != null;
def held($pod): ($pod | sim("waiting")) as $reason | $reason != null and .state.waiting.reason == $reason;

. as $pod
| sim("container") as $target
| [.spec.initContainers[]? | select(.restartPolicy == "Always") | .name] as $sidecars
| [.status.initContainerStatuses[]?
    | select((.state.terminated.exitCode == 0 or (.state.running != null and (.name | IN($sidecars[])))) | not)
  ][0] as $turn
| [if $turn then $turn | select(.name == $target)
   else .status.containerStatuses[]? | select($target == null or .name == $target)
   end] as $aims
| [if $turn then $turn else .status.containerStatuses[]? end] as $now
| [.status.conditions[]? | select(.type == "Ready") | .status][0] as $ready
| if sim("lost") == "true" then "rest"
  elif .metadata.deletionTimestamp then
    if .metadata.finalizers == null then "delete"
    elif .status.phase == "Pending" or .status.phase == "Running" then "terminate"
    else "rest" end
  elif .status.phase == "Succeeded" or .status.phase == "Failed" then "rest"
  elif .status.podIP == null then "create"
  elif sim("waiting") != null and ($aims | length) > 0 then
    if all($aims[]; held($pod)) then "rest" else "hold" end
  elif any($now[]; rests($pod)) then "rest"
  elif any($now[]; .state.running == null) then
    if any($now[]; .restartCount > 0) then "restart" elif $turn then "start-init" else "start" end
  elif sim("fail") != null and ($aims | length) > 0 then "fail"
  elif $turn then "finish-init"
  elif any(.metadata.ownerReferences[]?; .kind == "Job") then "finish"
  elif sim("ready") == "false" then if $ready == "True" then "unready" else "rest" end
  elif $ready != "True" then "ready"
  else "rest" end
