# What a simulated pod does next: the name of one stage in pods.yaml, or "rest". That it is one expression keeps the
# stages apart: kwok would choose at random between two that match.
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
| if .metadata.deletionTimestamp then
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
