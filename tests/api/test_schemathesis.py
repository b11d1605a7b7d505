"""Schemathesis experiment"""
import os, time, logging
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig
from schemathesis import GenerationMode

from configbox.access.grants import Grant
from configbox.wsgi import application
from tests.api.rest_door import RestDoor
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.tokens_of_every_kind import minted

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(3000)]

CONFIG = {
    "generation": {"deterministic": True, "allow-x00": False},
    "checks": {
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "403", "404"],
        },
    },
}
N=int(os.environ.get("N","5"))
ONLY=os.environ.get("ONLY","")

def test_all(shop):
    logging.disable(logging.CRITICAL)
    good,_,_ = minted()
    headers = {"Authorization": f"Bearer {good}", "Host": "localhost"}
    config = SchemathesisConfig.from_dict({**CONFIG, "headers": headers})
    t=time.time()
    schema= schemathesis.openapi.from_wsgi("/cb-api/v1/openapi.json", application, config=config, headers=headers)
    print("load",time.time()-t)
    seen=set()
    for result in schema.get_all_operations():
        op=result.ok()
        if ONLY and ONLY not in op.label: continue
        for mode in GenerationMode:
            t=time.time(); n=[0]; st={}
            @settings(max_examples=N, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
            @given(case=op.as_strategy(mode))
            def run(case):
                n[0]+=1
                r=case.call()
                st[r.status_code]=st.get(r.status_code,0)+1
                try:
                    case.validate_response(r)
                except BaseExceptionGroup as g:
                    for f in g.exceptions:
                        if "RejectedPositive" in type(f).__name__ and op.method!="get" and r.status_code in (400,409,412,422): continue
                        key=(op.label,mode,type(f).__name__)
                        if key not in seen:
                            seen.add(key)
                            print("FAIL",key,str(f)[:1500],"\n   ",case.as_curl_command()[:900],"\n   ",r.status_code,r.content[:600])
            try: run()
            except Exception as e: print("EXC",op.label,mode,type(e),str(e)[:500])
            print(op.label,mode.value,n[0],round(time.time()-t,2),st)
